import Foundation
import Testing

@testable import ObjectMapping
@testable import Seeder

@Suite struct DuplicateKeyScannerTests {
    private static func scan(_ text: String, isLines: Bool = false, limit: Int = 100, step: Int = .max)
        -> DuplicateKeyScanner
    {
        var keys = DuplicateKeyScanner(isLines: isLines, limit: limit)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(step, bytes.count)) {
            bytes[start..<min(bytes.count, start + min(step, bytes.count))].withView { keys.scan($0) }
        }
        return keys
    }

    @Test(arguments: [
        (#"{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}"#, []),
        (#"{"a":1,"a":2,"a":3}"#, ["1:8 $.a", "1:14 $.a"]),
        (#"{"a":"\"a\":","b":["a","a",{"é":1,"\u00e9":2}]}"#, ["1:35 $.b[2].é"]),
        ("\u{FEFF}{\"\":1,\n \"é\":2, \"\":3}", [#"2:9 $[""]"#]),
        (#"[[],{},[{"x":{"y":[0,{"z":1,"z":1}]}}]]"#, ["1:29 $[2][0].x.y[1].z"]),
        (#"{"a\\":1,"a\\":2,"b\"c":1,"b\"c":2}"#, [#"1:10 $["a\\"]"#, #"1:27 $["b\"c"]"#]),
        ("{\"\u{e9}\":1,\"e\u{301}\":2}", []),
    ])
    func `duplicate keys are found with path and position, in pieces of any size`(
        text: String, places: [String]
    ) {
        for step in [1, 2, 7, Int.max] {
            let found = Self.scan(text, step: step)
            #expect(found.issues.map { "\($0.line):\($0.column) \($0.path)" } == places)
            #expect(found.count == places.count)
        }
    }

    @Test func `each line is a separate text, even if it is broken`() {
        let found = Self.scan("{\"a\":1,\"a\n{\"a\":1}\n{\"a\":{\"b\":1,\n{\"b\":1,\"b\":2}\n", isLines: true)
        #expect(found.issues.map(\.line) == [4])
        #expect(found.issues.map(\.offset) == [38])
    }

    @Test func `duplicate keys are listed up to a limit, and all are counted`() {
        let found = Self.scan("{" + (0..<500).map { #""k\#($0 % 250)":1"# }.joined(separator: ",") + "}", limit: 10)
        #expect(found.issues.count == 10)
        #expect(found.count == 250)
    }

    @Test func `the scanner and the JSON reader agree on random texts`() throws {
        var generator = SystemRandomNumberGenerator()
        func text(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 4 ? 2 : 6), using: &generator) {
            case 0: return "1"
            case 1: return ["\"\"", "\"a\\\"\"", "null", "\"{\\\\\""].randomElement() ?? ""
            case 2: return "[" + (0..<3).map { _ in text(depth + 1) }.joined(separator: ",\n") + "]"
            default:
                let keys = (0..<4).map { _ in ["a", "b", "\\u0061", "c\\n", "ü"].randomElement() ?? "" }
                return "{ " + keys.map { "\"\($0)\": \(text(depth + 1))" }.joined(separator: " ,") + " }"
            }
        }
        for _ in 0..<300 {
            let text = text(0)
            #expect(Self.scan(text, limit: 1000).issues == (try JSON(text).duplicateKeys), "\(text)")
        }
    }

    @Test func `a text of unlimited depth needs no memory`() {
        let found = Self.scan(String(repeating: "[", count: 100_000) + "\n{\"a\":1,\"a\":1}\n", isLines: true)
        #expect(found.count == 1)
    }
}
