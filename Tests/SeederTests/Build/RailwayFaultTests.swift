import Foundation
import Seeder
import TestSupport
import Testing

/// Dumps that a reader could silently misread, each with its issue.
@Suite struct RailwayFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let dump: Data
        let members: String
        let message: String

        init(_ dump: some StringProtocol, _ members: String, _ message: String) {
            self.init(Data(dump.utf8), members, message)
        }

        init(_ dump: Data, _ members: String, _ message: String) {
            (self.dump, self.members, self.message) = (dump, members, message)
        }

        var testDescription: String { message }
    }

    static let faults = [
        Fault(
            #"{"zones":[{"zone":1}],"zones":[{"zone":2}]}"#, #", "at": "zones""#,
            "fares.json:1:31 $.zones: expected a unique key 'zones' on the path 'zones', found a duplicate key"),
        Fault(
            Data(#"[{"zone":1}]"#.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }), "",
            "fares.json:1:1 $: expected UTF-8, found UTF-16"),
        Fault(
            #"[{"zone":"x"}]"#, "",
            "fares.json:1:10 $[0].zone: expected an integer, found a string that cannot be converted to an integer (rule zone -> Fare.zone)"
        ),
        Fault(
            #"[{"Zone":1}]"#, "",
            "fares.json:1:2 $[0].zone: expected the key 'zone', found no such key (rule zone -> Fare.zone); did you mean 'Zone'?"
        ),
    ]

    @Test(arguments: faults)
    func `an empty or ambiguous dump is an issue, and writes no file`(fault: Fault) throws {
        let folder = try SeedFolder(["seed.json": Self.manifest(from: "zone", fault.members)])
        try fault.dump.write(to: folder.folder.file("fares.json"))
        let (kind, lines) = try #require(try folder.buildError())
        #expect(kind == .badData)
        #expect(lines == [fault.message])
        #expect(try folder.folder.names == ["fares.json", "seed.json"])
    }

    @Test func `a member's name of another type is an issue`() throws {
        let folder = try SeedFolder([
            "seed.json": Self.manifest(from: "@key", #", "each": "member""#), "fares.json": #"{"7":{},"1x2":{}}"#,
        ])
        let (kind, lines) = try #require(try folder.buildError())
        #expect(kind == .badData)
        #expect(
            lines == [
                "fares.json:1:15 $.1x2: expected an integer, found a string that cannot be converted to an integer (rule @key -> Fare.zone)"
            ])
    }

    @Test func `null in one branch of an array is ignored if another branch has elements`() throws {
        let folder = try SeedFolder([
            "seed.json": Self.manifest(from: "zone", #", "at": "lines.fares""#),
            "fares.json": #"{"lines":[{"fares":null},{"fares":[{"zone":7}]},{"fares":[]},{}]}"#,
        ])
        try folder.build()
        #expect(try folder.rows("SELECT * FROM Fare") == ["1, 7"])
    }

    @Test func `a truncated line is reported at its end, and the next one is read`() throws {
        let text = Self.manifest(from: "zone", "").replacingOccurrences(of: "fares.json", with: "fares.ndjson")
        let folder = try SeedFolder(["seed.json": text, "fares.ndjson": "{\"zone\":6\n{\"zone\":7}\n"])
        let (_, lines) = try #require(try folder.buildError())
        #expect(lines == ["fares.ndjson:1:10 $: expected a comma or '}', found the end of the line"])
        try folder.build { $0.onError = .skip }
        #expect(try folder.rows("SELECT zone FROM Fare") == ["7"])
        let rejects = try folder.folder.text(of: "out.sqlite.rejects.ndjson")
        #expect(rejects.contains(#""line":1,"#) && rejects.contains(#""text":"{\"zone\":6""#), "\(rejects)")
    }

    @Test func `nulls in a list, and elements without the key, keep their positions`() throws {
        let text = """
            { "model": { "Station": { "identifiedBy": "id", "attributes": {
                "id": { "type": "integer" }, "lengths": { "from": "platforms.length", "type": "[double]" },
                "names": { "type": "[string]" }, "near": { "type": "[integer]" } },
                "relationships": { "neighbours": { "to": "Station", "by": "near", "many": true } } } },
              "sources": [{ "file": "a.json", "entity": "Station" }] }
            """
        let dump = #"[{"id":1,"platforms":[{"length":1},{},{"length":null}],"names":[null,"a"],"near":[null,1]}]"#
        let folder = try SeedFolder(["seed.json": text, "a.json": dump])
        try folder.build()
        #expect(
            try folder.rows("SELECT lengths, names, near FROM Station") == [
                "'[1.0,null,null]', '[null,\"a\"]', '[null,1]'"
            ])
        #expect(try folder.rows("SELECT * FROM Station_neighbours") == ["1, 1, 1"])
        #expect(try folder.rows("SELECT * FROM _mappingkit_pending").isEmpty)
    }

    private static func manifest(from: String, _ members: String) -> String {
        """
        { "model": { "Fare": { "identifiedBy": "zone",
            "attributes": { "zone": { "from": "\(from)", "type": "integer" } } } },
          "sources": [{ "file": "fares.json", "entity": "Fare"\(members) }] }
        """
    }
}
