import Foundation
import TestSupport
import Testing

/// The example with real dumps; its answers are computed again from the dumps.
@Suite struct IsoCodesExample {
    @Test func `without the dumps it prints how to get them, and succeeds`() throws {
        let result = try runExecutable(
            named: "catalog", arguments: ["iso-codes"], environment: ["ISO_CODES": "/nonexistent"])
        #expect(
            result.output == """
                iso-codes: The world's countries, regions, currencies and languages, and three questions

                This example reads the dumps of Debian's package iso-codes, which are not in /nonexistent. Install
                the package (`apt-get install iso-codes`), or set ISO_CODES to its folder `json`, and run the
                example again.

                """)
        #expect(result.errors == "")
        #expect(result.status == 0)
    }

    @Test(.enabled(if: IsoCodes.folder != nil)) func `its three answers match the dumps`() throws {
        let result = try runExecutable(named: "catalog", arguments: ["iso-codes"])
        #expect(result.errors == "")
        #expect(result.status == 0)
        let rest = try [Self.counts(), Self.nested(), Self.successors(), Self.strays()].reduce(
            Substring(result.output)
        ) { rest, lines in
            let text = lines.map { "    \($0)\n" }.joined()
            let range = try #require(rest.range(of: "}\n\(text)\n") ?? rest.range(of: "\"\"\"\n\(text)\n"), "\(text)")
            return rest[range.upperBound...]
        }
        #expect(rest.hasPrefix("A key without an object is null"))
    }

    private static func counts() throws -> [String] {
        try [
            ("Country", "3166-1"), ("Subdivision", "3166-2"), ("FormerCountry", "3166-3"), ("Currency", "4217"),
            ("Language", "639-3"), ("Script", "15924"),
        ].map { "\($0): \(try IsoCodes.objects($1).count)" }
    }

    /// The names of countries by their codes of two letters.
    private static func countryNames() throws -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: try IsoCodes.objects("3166-1").map {
                ($0["alpha_2"] ?? "", $0["common_name"] ?? $0["name"] ?? "")
            })
    }

    /// The countries with nested subdivisions: the deepest first, then those with most of them.
    private static func nested() throws -> [String] {
        let objects = try IsoCodes.objects("3166-2")
        let parents = Dictionary(
            uniqueKeysWithValues: objects.map { object in
                let code = object["code"] ?? ""
                let parent = object["parent"].map { $0.contains("-") ? $0 : "\(code.prefix(2))-\($0)" }
                return (code, parent)
            })
        func depth(_ code: String) -> Int { (parents[code] ?? nil).map { depth($0) + 1 } ?? 1 }
        let names = try countryNames()
        var countries: [(code: String, levels: Int, parts: Int)] = []
        for (code, parts) in Dictionary(grouping: parents.keys, by: { String($0.prefix(2)) }) {
            countries.append((code, parts.map(depth).max() ?? 0, parts.count))
        }
        countries.sort { one, other in
            if one.levels != other.levels { return one.levels > other.levels }
            return one.parts == other.parts ? one.code < other.code : one.parts > other.parts
        }
        return countries.prefix(5).map { "\(names[$0.code] ?? "") | \($0.levels) | \($0.parts)" }
    }

    private static func successors() throws -> [String] {
        let names = try countryNames()
        var lines: [(date: String, code: String, text: String)] = []
        for country in try IsoCodes.objects("3166-3") {
            let code = country["alpha_4"] ?? ""
            let date = country["withdrawal_date"] ?? ""
            guard let successor = names[String(code.suffix(2))], code.suffix(2) != country["alpha_2"] ?? "" else {
                continue
            }
            lines.append((date, code, "\(date.prefix(4)) | \(country["name"] ?? "") | \(successor)"))
        }
        lines.sort { $0.date == $1.date ? $0.code < $1.code : $0.date > $1.date }
        return lines.prefix(5).map(\.text)
    }

    /// The currencies of former countries, or without a country.
    private static func strays() throws -> [String] {
        let names = try countryNames()
        let former = try IsoCodes.objects("3166-3")
        var lines: [String] = []
        for currency in try IsoCodes.objects("4217") {
            let code = currency["alpha_3"] ?? ""
            guard !code.hasPrefix("X"), names[String(code.prefix(2))] == nil else { continue }
            let ends = former.filter { $0["alpha_2"] ?? "" == code.prefix(2) }.map { country in
                "\(country["name"] ?? "") | \(country["withdrawal_date"]?.prefix(4) ?? "")"
            }
            lines += (ends.isEmpty ? ["none | none"] : ends).map { "\(code) | \(currency["name"] ?? "") | \($0)" }
        }
        return lines.sorted()
    }
}
