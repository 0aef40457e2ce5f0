import ObjectMapping
import Testing

struct WindowTests {
    private enum Verdict { case sound(Int), cut, wrong }

    private static func verdict(_ text: String, trailing: Bool = true, mayContinue: Bool = true) -> Verdict {
        text.withJSONBytes { bytes in
            switch DocumentWalker.check(bytes, mayContinue: mayContinue, allowsTrailingText: trailing) {
            case .sound(let end): .sound(end)
            case .cut: .cut
            case .wrong: .wrong
            }
        }
    }

    @Test func `Every beginning of a sound value is cut, never wrong`() {
        let text = "\u{FEFF}" + #"{"a":[1,-2.5e+3,"x\n\ud83d\ude00é"],"b":{"c":true,"d":null,"e":false}}"#
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            bytes[..<length].withJSONBytes { window in
                guard case .cut = DocumentWalker.check(window, mayContinue: true) else {
                    Issue.record("\(length) bytes are not cut")
                    return
                }
            }
        }
        guard case .sound(bytes.count) = Self.verdict(text) else {
            Issue.record("the whole is not sound")
            return
        }
    }

    @Test(arguments: [
        "[1,}", "tx", "\"\\ud800\\n", "[1 2", "{\"a\":1,]", "01", "\"\u{1}", "-x", "1.x",
    ])
    func `What no further text can heal is wrong`(text: String) {
        guard case .wrong = Self.verdict(text) else {
            Issue.record("not wrong")
            return
        }
    }

    @Test func `A number at the end of a window is whole only at the end of the text`() {
        if case .cut = Self.verdict("12") {} else { Issue.record("12 might go on") }
        if case .sound(2) = Self.verdict("12", mayContinue: false) {} else { Issue.record("12 is a value") }
        if case .sound(2) = Self.verdict("12 ") {} else { Issue.record("12 has ended") }
    }

    @Test func `Text after the value is the caller's business where he says so`() {
        if case .sound(3) = Self.verdict("[1], [2") {} else { Issue.record("the first value is sound") }
        if case .wrong = Self.verdict("[1], [2", trailing: false) {} else { Issue.record("there is more text") }
    }

    @Test func `A window knows where it stands in the text`() {
        let issue = "{\"a\": [1,\n é ?]}".withJSONBytes {
            DocumentWalker.firstIssue(
                in: $0, origin: TextPosition(line: 7, column: 10, offset: 500), prefix: [.key("tasks"), .index(3)])
        }
        #expect(
            issue?.description == "8:2 $.tasks[3].a[1]: expected a value after the comma, found the character U+00E9")
        #expect(issue?.offset == 511)
        let first = "[x".withJSONBytes {
            DocumentWalker.firstIssue(in: $0, origin: TextPosition(line: 7, column: 10, offset: 500))
        }
        #expect(first?.description == "7:11 $[0]: expected a value or ']', found 'x'")
    }

    @Test func `A byte order mark inside a text is no blank`() {
        let issue = "\u{FEFF}1".withJSONBytes {
            DocumentWalker.firstIssue(in: $0, origin: TextPosition(line: 1, column: 5, offset: 4))
        }
        #expect(issue?.description == "1:5 $: expected a value, found the byte order mark U+FEFF")
    }
}
