import Foundation
import TestSupport
import Testing

/// Regular expressions whose matches take exponential time.
@Suite struct SlowPatternTests {
    static func manifest(_ patterns: [String]) -> String {
        let columns = patterns.enumerated().map { #""c\#($0)": { "from": "v", "match": "\#($1)", "type": "string" }"# }
        return """
            {
              "model": { "Line": { "identifiedBy": "id",
                "attributes": { "id": { "type": "integer" }, \(columns.joined(separator: ", ")) } } },
              "sources": [{ "file": "lines.json", "entity": "Line" }]
            }
            """
    }

    static let slow = String(repeating: "a", count: 48) + "!"
    static let dump = #"[{"id":1,"v":"aab"},{"id":2,"v":"\#(slow)"},{"id":3,"v":"aa"}]"#

    @Test(arguments: ["build -o out.sqlite", "build -o out.sqlite --on-error skip", "check"])
    func `a match that takes too long ends the command with an issue that names the rule`(command: String) throws {
        let folder = try SeedFolder(["seed.json": Self.manifest(["^((?:a+)+)$"]), "lines.json": Self.dump])
        let result = try runShell("timeout -s KILL 60 seed-db \(command) seed.json", directory: folder.folder.url)
        #expect(result.status == 65)
        #expect(
            result.errors.hasPrefix(
                """
                lines.json:1:33 $[1].v: expected a string that the regular expression matches within 2 seconds, found one \
                that takes longer (rule v -> Line.c0)

                """))
        #expect(try folder.folder.names == ["lines.json", "seed.json"])
    }

    @Test(arguments: ["(b+)", "^((?:a|b)+)", "a*(b)", "(?:a|a|a|a)*(b)$"])
    func `matches that end in time extract the same part on any thread`(pattern: String) throws {
        let text = String(repeating: "a", count: 2000) + "b"
        let dump = #"[{"id":1,"v":"aab"},{"id":2,"v":"\#(text)"}]"#
        let folder = try SeedFolder(["seed.json": Self.manifest([pattern]), "lines.json": dump])
        try folder.build()
        let expected = try ["aab", text].map { text in
            try String(#require(text.firstMatch(of: Regex(pattern))?.output[1].substring))
        }
        #expect(try folder.rows("SELECT c0 FROM Line") == expected.map { "'\($0)'" })
    }

    @Test(arguments: [1, 2]) func `signals end a build although an element takes long`(signals: Int) throws {
        let patterns = ["^((?:a+)+)$", "^((?:a|a)+)$", "^((?:aa?)+)$", "^((?:a?a)+)$", "^((?:[ab]+)+)$"]
        let folder = try SeedFolder(["seed.json": Self.manifest(patterns), "lines.json": Self.dump])
        let process = try RunningProcess(
            product("seed-db"), arguments: ["build", "seed.json", "-o", "out.sqlite"], directory: folder.folder.url)
        while try folder.folder.names.count < 3 { usleep(1000) }
        for _ in 1...signals {
            process.send(SIGTERM)
            usleep(50_000)
        }
        let result = try process.wait()
        #expect(result.status == 143)
        #expect(result.errors == "seed-db: stopped by SIGTERM\n")
        #expect(try folder.folder.names == ["lines.json", "seed.json"])
    }
}
