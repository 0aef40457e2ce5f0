import Foundation
import Seeder
import TestSupport
import Testing

@Suite struct SourceExcerptTests {
    @Test(arguments: [
        (#"{"id": "x"}"#, 7, [#"{"id": "x"}"#, "       ^"]),
        ("[\n\t{\"a\":\t1},\n", 8, ["{\"a\": 1},", "     ^"]),
        ("[\n]", 2, ["]", "^"]),
        ("", 0, []),
        ("é\u{301}ß x\r\n", 7, ["é\u{301}ß x ", "   ^"]),
        ("\u{1B}[31mred", 5, ["[31mred", "    ^"]),
    ])
    func `a caret marks the position`(text: String, offset: Int, lines: [String]) {
        #expect(SourceExcerpt(bytes: Array(text.utf8), offset: offset).lines == lines)
    }

    @Test(arguments: [0, 10, 60, 500, 940, 999, 1000])
    func `a long line is truncated to the width of the terminal`(offset: Int) {
        let text = (0..<1000).map { $0 == offset ? "X" : String($0 % 10) }.joined()
        let lines = SourceExcerpt(bytes: Array(text.utf8), offset: offset).lines
        #expect(lines[0].count <= 100)
        #expect(lines[0].hasPrefix("…") == (offset > 60 - 11))
        let column = lines[1].count - 1
        #expect(offset == 1000 ? column == lines[0].count : Array(lines[0])[column] == "X")
    }

    @Test func `the excerpt of a one-line dump is found without reading all of it`() throws {
        let tasks = (1...20_000).map { #"{"id":\#($0),"name":"n"}"# }.joined(separator: ",")
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": "[\(tasks),{\"id\":true}]"])
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite")
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "tasks.json:1:468902 $[20000].id: expected an integer, found a boolean (rule id -> Task.id)",
                #"  …7,"name":"n"},{"id":19998,"name":"n"},{"id":19999,"name":"n"},{"id":20000,"name":"n"},{"id":true}]"#,
                String(repeating: " ", count: 95) + "^",
            ])
    }
}
