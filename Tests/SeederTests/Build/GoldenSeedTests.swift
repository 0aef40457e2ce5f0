import Foundation
import Seeder
import TestSupport
import Testing

@Suite struct GoldenSeedTests {
    @Test func `every feature of a manifest gives the rows that were checked by hand`() throws {
        let folder = try TemporaryDirectory()
        let output = folder.file("harbour.sqlite")
        let report = try ObjectSeeder(manifest: fixture("harbour/seed.json"), output: output).finish()
        let expected = try String(contentsOf: fixture("harbour/expected.txt"), encoding: .utf8)
        #expect(try seedText(output) == expected)
        #expect(
            report.entities.map { "\($0.name) \($0.rows) \($0.merged)" } == [
                "Port 4 1", "Berth 2 0", "Ship 3 1", "Leg 3 0", "Person 2 0",
            ])
        #expect(
            report.sources.map { "\($0.file) \($0.read) \($0.kept) \($0.rejected)" } == [
                "ships.ndjson 3 3 0", "ports.json 3 3 0", "people.json 2 2 0", "mixed.json 4 4 0",
            ])
        #expect(
            report.unresolved.map { "\($0.entity).\($0.relationship) -> \($0.destination) \($0.count) \($0.samples)" }
                == [
                    #"Port.parent -> Port 1 ["[\"DE\",\"XXX\"]"]"#, #"Ship.captains -> Person 1 ["99"]"#,
                    #"Ship.payer -> Person 1 ["98", "97"]"#, #"Ship.tug -> Ship 1 ["9000009"]"#,
                ])
    }

    @Test func `equal dumps give equal bytes in any folder`() throws {
        let first = try TemporaryDirectory()
        let second = try TemporaryDirectory()
        for (folder, name) in [(first, "a.sqlite"), (second, "another name.sqlite")] {
            _ = try ObjectSeeder(manifest: fixture("harbour/seed.json"), output: folder.file(name)).finish()
        }
        #expect(try first.data(of: "a.sqlite") == second.data(of: "another name.sqlite"))
    }

    @Test(arguments: orders(of: [0, 1, 2, 3]))
    func `sources in any order give the same objects and connections`(order: [Int]) throws {
        let folder = try SeedFolder()
        let manifest = try String(contentsOf: fixture("harbour/seed.json"), encoding: .utf8)
        let head = try #require(manifest.range(of: #""sources": ["#)).upperBound
        let sources = manifest[head...].split(separator: "\n").filter { $0.contains("file") }
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,")) }
        let shuffled = order.map { sources[$0] }.joined(separator: ", ")
        try folder.folder.write(manifest[..<head] + shuffled + "] }", to: "seed.json")
        try folder.build { $0.base = fixture("harbour") }
        let ships = """
            SELECT s.imo, s.uuid, p.name, t.imo, (SELECT group_concat(personID) FROM Ship_captains JOIN Person \
            ON target = Person._id WHERE owner = s._id) FROM Ship s LEFT JOIN Person p ON p._id = s.payer \
            LEFT JOIN Ship t ON t._id = s.tug ORDER BY s.imo
            """
        #expect(
            try folder.rows(ships) == [
                "9000001, 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'Ada', 9000002, '7,8'",
                "9000002, NULL, 'Bo', NULL, NULL", "9000003, NULL, NULL, NULL, NULL",
            ])
        let ports = """
            SELECT a.code, a.label, b.code, (SELECT count(*) FROM Berth WHERE port = a._id) \
            FROM Port a LEFT JOIN Port b ON b._id = a.parent ORDER BY a.code
            """
        #expect(
            try folder.rows(ports) == [
                "'BGO', NULL, 'OSL', 0", "'GOT', 'Göteborg, Västra Götaland', 'BGO', 0",
                "'HAM', 'Hamburg, Hamburg', NULL, 0", "'OSL', 'Oslo, Viken', NULL, 2",
            ])
    }
}

/// All orders of some numbers.
private func orders(of numbers: [Int]) -> [[Int]] {
    numbers.isEmpty
        ? [[]] : numbers.flatMap { first in orders(of: numbers.filter { $0 != first }).map { [first] + $0 } }
}
