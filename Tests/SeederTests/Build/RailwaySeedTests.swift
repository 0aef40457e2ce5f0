import Foundation
import Seeder
import TestSupport
import Testing

/// A railway whose manifest uses every feature of manifests, through the command line with staff from standard input.
@Suite struct RailwaySeedTests {
    @Test func `all features of a manifest give the rows that were checked by hand`() throws {
        let folder = try SeedFolder()
        let result = try build(in: folder, "--report", "report.json")
        #expect(result.status == 0, "\(result.errors)")
        let conflicts = result.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
        #expect(
            conflicts.map { $0.split(separator: " found different values of ").last } == [
                "'name', 'elevation'", "'keys'", "'name'",
            ])
        #expect(try folder.text == String(contentsOf: fixture("railway/expected.txt"), encoding: .utf8))
        #expect(result.output.contains("  Station        4 rows  (1 merged, 1 with conflicts)\n"))
        #expect(
            result.output.contains(
                """
                4 unresolved connections (stored as NULL):
                  Station.neighbours -> Station: 1, for key NIL
                  Train.driver -> Employee: 1, for keys 998, 997
                  Trip.previous -> Trip: 1, for key 99
                  SignalFailure.station -> Station: 1, for key NOWHERE
                """))
        #expect(try folder.folder.text(of: "report.json").contains(#""merged": 2"#))
        #expect(try folder.folder.names == ["out.sqlite", "out.sqlite.sha256", "report.json"])
    }

    @Test func `the file conforms to the format, by its header and SQLite's own checks`() throws {
        let folder = try SeedFolder()
        _ = try build(in: folder)
        let header = Array(try folder.folder.data(of: "out.sqlite").prefix(100))
        #expect(header[18...19] == [1, 1])
        #expect(header[60..<64] == [0, 0, 0, 2])
        #expect(header[68..<72] == [0x4D, 0x4B, 0x44, 0x42])
        for (sql, expected) in [
            ("PRAGMA integrity_check", ["'ok'"]), ("PRAGMA foreign_key_check", []), ("PRAGMA auto_vacuum", ["0"]),
            ("PRAGMA encoding", ["'UTF-8'"]), ("SELECT value FROM _mappingkit WHERE key = 'format'", ["2"]),
            (
                "SELECT hex(text) FROM Train WHERE _id = 1",
                ["'61202262223B2044524F50205441424C4520547261696E3B202D2D2027000AF09F9A82'"]
            ),
            (
                "SELECT json_extract(value, '$.Line.identifiedBy') FROM _mappingkit WHERE key = 'model'",
                [#"'["operator","number"]'"#]
            ),
        ] { #expect(try folder.rows(sql) == expected, "\(sql)") }
        let sum = try runShell("sha256sum -c out.sqlite.sha256", directory: folder.folder.url)
        #expect(sum.output == "out.sqlite: OK\n")
    }

    @Test func `another folder, name or notation gives the same bytes`() throws {
        let first = try SeedFolder()
        _ = try build(in: first)
        let second = try SeedFolder()
        try second.folder.write(try manifest(), to: "copy of seed.json")
        let result = try second.run(
            "build", "--quiet", "--base=\(fixture("railway").path)", "--output=a b.sqlite", "--", "copy of seed.json",
            input: try staff())
        #expect(result.output.isEmpty && result.errors.isEmpty)
        #expect(try first.folder.data(of: "out.sqlite") == second.folder.data(of: "a b.sqlite"))
    }

    /// Every rotation of the seven sources, forwards and backwards.
    @Test(arguments: (0..<7).flatMap { shift in [false, true].map { (shift, $0) } })
    func `sources in another order give the same connections`(shift: Int, isReversed: Bool) throws {
        let text = try manifest()
        let head = try #require(text.range(of: #""sources": ["#)).upperBound
        let lines = text[head...].split(separator: "\n").filter { $0.contains("file") }
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,")) }
        try #require(lines.count == 7)
        let rotated = Array(lines[shift...] + lines[..<shift])
        let sources = (isReversed ? rotated.reversed() : rotated).joined(separator: ", ")
        let folder = try SeedFolder(["seed.json": text[..<head] + sources + "] }"])
        let result = try folder.run(
            "build", "seed.json", "-o", "out.sqlite", "--base", fixture("railway").path, input: try staff())
        #expect(result.status == 0, "\(result.errors)")
        #expect(try connections(folder) == Self.connections)
        #expect(try folder.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `updates with the same dumps change no object that has an identity, and no connection`() throws {
        let folder = try SeedFolder()
        _ = try build(in: folder)
        let tables = ["Station", "Line", "Employee", "Fare", "Train", "Trip"]
        let before = try tables.map { try folder.rows("SELECT * FROM \($0)") }
        let parts = try folder.rows("SELECT track, length, station FROM Platform")
        for _ in 1...2 {
            let result = try build(in: folder, "--update")
            #expect(result.status == 0, "\(result.errors)")
            #expect(try tables.map { try folder.rows("SELECT * FROM \($0)") } == before)
            #expect(try connections(folder) == Self.connections)
            #expect(try folder.rows("SELECT track, length, station FROM Platform") == parts)
            #expect(try folder.rows("PRAGMA foreign_key_check").isEmpty)
        }
    }

    // MARK: Helpers

    private func manifest() throws -> String { try String(contentsOf: fixture("railway/seed.json"), encoding: .utf8) }

    private func staff() throws -> String { try String(contentsOf: fixture("railway/staff.json"), encoding: .utf8) }

    private func build(in folder: SeedFolder, _ options: String...) throws -> ProcessResult {
        try runExecutable(
            named: "seed-db", arguments: ["build", fixture("railway/seed.json").path, "-o", "out.sqlite"] + options,
            input: Data(try staff().utf8), directory: folder.folder.url)
    }

    /// All connections by identities, which must not depend on the order of sources.
    private func connections(_ folder: SeedFolder) throws -> [String] {
        try [
            "SELECT a.code, b.code FROM Station a LEFT JOIN Station b ON b._id = a.hub ORDER BY 1",
            "SELECT code, employeeID FROM Station JOIN Employee e ON e._id = master ORDER BY 1",
            "SELECT a.code, b.code FROM Station_neighbours JOIN Station a ON a._id = owner JOIN Station b ON b._id = target ORDER BY a.code, position",
            "SELECT number, code FROM Station_lines JOIN Line l ON l._id = target JOIN Station s ON s._id = owner ORDER BY number, position",
            "SELECT track, code FROM Platform LEFT JOIN Station s ON s._id = station ORDER BY 2, 1",
            "SELECT a.employeeID, b.employeeID FROM Employee a LEFT JOIN Employee b ON b._id = a.boss ORDER BY 1",
            "SELECT substr(trainID, 1, 8), substr(trainID, 36), l.number, e.employeeID, s.code FROM Train LEFT JOIN Line l ON l._id = line LEFT JOIN Employee e ON e._id = driver LEFT JOIN Station s ON s._id = depot ORDER BY trainID",
            "SELECT a.tripID, substr(t.trainID, 1, 8), p.tripID, n.tripID FROM Trip a LEFT JOIN Train t ON t._id = a.train LEFT JOIN Trip p ON p._id = a.previous LEFT JOIN Trip n ON n._id = a.next ORDER BY 1",
            "SELECT DISTINCT \"where\", code FROM SignalFailure LEFT JOIN Station s ON s._id = station ORDER BY 1",
        ].flatMap { try folder.rows($0) }
    }

    private static let connections = [
        "'NORD', NULL", "'OST', 'NORD'", "'SUED', 'NORD'", "'WEST', 'SUED'",
        "'NORD', 7", "'WEST', 9",
        "'NORD', 'SUED'", "'NORD', 'NORD'", "'NORD', 'OST'",
        "1, 'SUED'", "1, 'NORD'", "1, 'OST'", "2, 'WEST'",
        "1, 'NORD'", "2, 'NORD'", "3, 'NORD'", "1, 'WEST'",
        "7, 9", "8, 9", "9, 7", "10, 10",
        "'00000000', '0', 2, 8, NULL", "'00000000', '1', NULL, NULL, NULL", "'f81d4fae', '6', 1, 7, 'NORD'",
        "10, 'f81d4fae', NULL, 30", "20, '00000000', NULL, 40", "30, 'f81d4fae', 10, NULL", "40, NULL, 20, NULL",
        "NULL, NULL", "'NOWHERE', NULL", "'OST', 'OST'",
    ]
}
