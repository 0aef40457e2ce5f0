import Foundation
import ObjectStore
import Seeder
import TestSupport
import Testing

/// The seed of `Examples/Data/iso-codes`, compared with its dumps, which are real data.
@Suite(.enabled(if: IsoCodes.folder != nil)) struct IsoCodesTests {
    /// The value of a column for an object of a dump.
    typealias Value = @Sendable ([String: String]) -> String?

    struct Table: Sendable, CustomTestStringConvertible {
        let entity: String
        let standard: String
        /// Columns with the value of a key, by that key.
        let keys: [String: String]
        /// Columns with a computed value.
        var made: [String: Value] = [:]
        var testDescription: String { entity }
    }

    static let tables = [
        Table(
            entity: "Country", standard: "3166-1",
            keys: [
                "alpha_2": "alpha2", "alpha_3": "alpha3", "numeric": "numeric", "name": "name",
                "common_name": "commonName", "official_name": "officialName", "flag": "flag",
            ]),
        Table(
            entity: "Subdivision", standard: "3166-2",
            keys: ["code": "code", "name": "name", "type": "type", "parent": "parentCode"],
            made: [
                "countryCode": { country(of: $0) },
                "fullParentCode": { object in
                    guard let parent = object["parent"], !parent.contains("-") else { return nil }
                    return "\(country(of: object) ?? "")-\(parent)"
                },
            ]),
        Table(
            entity: "FormerCountry", standard: "3166-3",
            keys: [
                "alpha_4": "alpha4", "alpha_3": "alpha3", "alpha_2": "alpha2", "numeric": "numeric", "name": "name",
                "comment": "comment", "withdrawal_date": "withdrawn",
            ],
            made: [
                "withdrawnYear": { $0["withdrawal_date"].map { String($0.prefix(4)) } },
                "withdrawnOn": { object in
                    guard let date = object["withdrawal_date"], date.count == 10 else { return nil }
                    return "\(date)T00:00:00.000Z"
                },
                "successorCode": { successor(of: $0) },
            ]),
        Table(
            entity: "Currency", standard: "4217", keys: ["alpha_3": "alpha3", "numeric": "numeric", "name": "name"],
            made: ["countryCode": { issuer(of: $0) }]),
        Table(
            entity: "Language", standard: "639-3",
            keys: [
                "alpha_3": "alpha3", "alpha_2": "alpha2", "bibliographic": "bibliographic", "name": "name",
                "common_name": "commonName", "inverted_name": "invertedName", "scope": "scope", "type": "type",
            ]),
        Table(
            entity: "Script", standard: "15924", keys: ["alpha_4": "alpha4", "numeric": "numeric", "name": "name"]),
    ]

    /// The part of `AZ-BAB` before the dash.
    static func country(of subdivision: [String: String]) -> String? {
        subdivision["code"]?.split(separator: "-").first.map(String.init)
    }

    /// `MM` of `BUMM`; nil if the standard has none, or several.
    static func successor(of country: [String: String]) -> String? {
        let code = country["alpha_4"].map { String($0.suffix(2)) }
        return code.flatMap { ["AA", "HH", "XX"].contains($0) ? nil : $0 }
    }

    /// The country in a currency's code; codes with an X have none.
    static func issuer(of currency: [String: String]) -> String? {
        let code = currency["alpha_3"].map { String($0.prefix(2)) }
        return code.flatMap { $0.hasPrefix("X") ? nil : $0 }
    }

    private let folder: TemporaryDirectory
    private let report: SeedReport
    private let seed: SeedDatabase

    init() throws {
        folder = try TemporaryDirectory()
        var options = SeedOptions()
        options.base = IsoCodes.folder
        let output = folder.file("iso.sqlite")
        let manifest = resource("Examples/Data/iso-codes/seed.json")
        report = try ObjectSeeder(manifest: manifest, output: output, options: options).finish()
        seed = try SeedDatabase(at: output)
    }

    @Test(arguments: tables) func `each object is a row, each member a column`(_ table: Table) throws {
        let objects = try IsoCodes.objects(table.standard)
        try #require(objects.count > 20)
        #expect(report.entities.first { $0.name == table.entity }?.merged == 0)
        let relationships = seed.model.entities.first { $0.name == table.entity }?.relationships.map(\.name) ?? []
        let rows = try seed.rows(of: table.entity)
        #expect(rows.count == objects.count)
        var differences: [String] = []
        for (object, row) in zip(objects, rows) {
            var expected: [String: String] = [:]
            for (key, value) in object { expected[table.keys[key] ?? "no column for '\(key)'"] = value }
            for (column, value) in table.made { expected[column] = value(object) }
            var found: [String: String] = [:]
            for (column, value) in zip(row.columns, row.values)
            where column != "_id" && !relationships.contains(column) && value != .null {
                found[column] = value.text ?? value.integer.map(String.init) ?? value.description
            }
            if found != expected { differences.append("\(found) is not \(expected)") }
        }
        #expect(differences.isEmpty, "\(differences.count) rows differ, as \(differences.prefix(3))")
    }

    /// Pairs of codes that SQL finds over a relationship, and those of the dumps.
    private func expectLinks(
        _ sql: String, _ expected: [(String, String)], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try seed.rows(sql: sql).map { row in row.values.compactMap(\.text).joined(separator: " > ") }
        #expect(found.sorted() == expected.map { "\($0) > \($1)" }.sorted(), sourceLocation: sourceLocation)
    }

    @Test func `a subdivision is connected to its country and parent, in both spellings`() throws {
        let objects = try IsoCodes.objects("3166-2")
        let codes = Set(objects.compactMap { $0["code"] })
        let links = objects.compactMap { object -> (String, String)? in
            guard let code = object["code"], let parent = object["parent"] else { return nil }
            return (code, codes.contains(parent) ? parent : "\(code.prefix(2))-\(parent)")
        }
        // Both notations occur.
        let areFull = objects.compactMap { $0["parent"].map { $0.contains("-") } }
        #expect(Set(areFull) == [true, false])
        try expectLinks(
            "SELECT s.code, p.code FROM Subdivision s JOIN Subdivision p ON p._id = s.parent",
            links.filter { codes.contains($1) })
        try expectUnresolved("Subdivision", "parent", links.map(\.1).filter { !codes.contains($0) })
        try expectLinks(
            "SELECT s.code, c.alpha2 FROM Subdivision s JOIN Country c ON c._id = s.country",
            objects.compactMap { object in object["code"].map { ($0, String($0.prefix(2))) } })
    }

    @Test func `a currency is connected to the country in its code, a former country to its successor`() throws {
        let countries = Set(try IsoCodes.objects("3166-1").compactMap { $0["alpha_2"] })
        for (entity, standard, relationship, key, code) in [
            ("Currency", "4217", "country", "alpha_3", Self.issuer),
            ("FormerCountry", "3166-3", "successor", "alpha_4", Self.successor),
        ] {
            let links = try IsoCodes.objects(standard).compactMap { object in
                code(object).map { (object[key] ?? "", $0) }
            }
            try expectLinks(
                """
                SELECT e.\(key.replacingOccurrences(of: "_", with: "")), c.alpha2
                FROM \(entity) e JOIN Country c ON c._id = e.\(relationship)
                """, links.filter { countries.contains($1) })
            try expectUnresolved(entity, relationship, links.map(\.1).filter { !countries.contains($0) })
        }
    }

    private func expectUnresolved(_ entity: String, _ relationship: String, _ keys: [String]) throws {
        let found = report.unresolved.first { $0.entity == entity && $0.relationship == relationship }
        #expect(found?.count ?? 0 == keys.count)
        let strays = (found?.samples ?? []).filter { !keys.contains($0) }
        #expect(strays == [])
    }

    @Test func `the unresolved connections are those that the standards leave open`() {
        // The euro has no country, the Antillean guilder's no longer exists, and neither does Yugoslavia's successor.
        let known = ["Currency.country": Set(["EU", "AN"]), "FormerCountry.successor": ["CS"]]
        for unresolved in report.unresolved {
            let place = "\(unresolved.entity).\(unresolved.relationship)"
            let strays = unresolved.samples.filter { known[place]?.contains($0) != true }
            #expect(strays == [], "\(place)")
        }
        #expect(report.unresolved.contains { $0.samples.contains("EU") })
    }

    @Test func `the database is sound and the command line builds the same bytes`() throws {
        #expect(try seed.damages() == [])
        let other = try TemporaryDirectory()
        let result = try runExecutable(
            named: "seed-db",
            arguments: [
                "build", resource("Examples/Data/iso-codes/seed.json").path, "-o", "iso.sqlite",
                "--base", IsoCodes.folder?.path ?? "",
            ], directory: other.url)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try other.data(of: "iso.sqlite") == folder.data(of: "iso.sqlite"))
    }
}
