import ObjectMapping
import TestSupport
import Testing

struct WindowTests {
    private enum Verdict { case sound(Int), cut, wrong }

    private static func verdict(_ text: String, trailing: Bool = true, mayContinue: Bool = true) -> Verdict {
        text.withView { verdict($0, trailing: trailing, mayContinue: mayContinue) }
    }

    private static func verdict(
        _ bytes: ByteView, trailing: Bool = true, mayContinue: Bool = true
    ) -> Verdict {
        var tokenizer = JSONTokenizer(allowsTrailingText: trailing)
        tokenizer.append(bytes)
        if !mayContinue { tokenizer.finish() }
        while true {
            switch tokenizer.next() {
            case .key, .scalar, .open, .close: continue
            case .end(let end): return .sound(end)
            case .needsMore: return .cut
            case .failure: return .wrong
            }
        }
    }

    @Test func `Every beginning of a valid value is incomplete, not invalid`() {
        let text = "\u{FEFF}" + #"{"a":[1,-2.5e+3,"x\n\ud83d\ude00é"],"b":{"c":true,"d":null,"e":false}}"#
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            bytes[..<length].withView { window in
                guard case .cut = Self.verdict(window) else {
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
    func `A beginning that no text can complete is invalid`(text: String) {
        guard case .wrong = Self.verdict(text) else {
            Issue.record("not wrong")
            return
        }
    }

    /// The tokens of a text that arrives in pieces, and its error.
    private static func tokens(_ bytes: [UInt8], by size: Int) -> [String] {
        var tokenizer = JSONTokenizer(allowsTrailingText: false)
        var tokens: [String] = []
        var rest = bytes[...]
        while true {
            switch tokenizer.next() {
            case .key(let range): tokens.append("\(range) \(tokenizer.key) \(tokenizer.position(at: range.lowerBound))")
            case .end: return tokens
            case .failure:
                let issue = tokenizer.issue
                return tokens + ["\(issue?.description ?? "") \(issue?.offset ?? -1)"]
            case .needsMore where rest.isEmpty: tokenizer.finish()
            case .needsMore:
                rest.prefix(size).withView { tokenizer.append($0) }
                rest = rest.dropFirst(size)
            case let event: tokens.append("\(event)")
            }
        }
    }

    @Test func `Pieces change neither tokens nor errors`() {
        var random = SeededGenerator(seed: 3)
        let source = Array(
            #" {"a\"b":[1,-2.5e3,"x\n\"\ud83d\ude00é€😀",true,null],"k\u0065y":{"b":{},"c":[]},"long":"1234\\"} "#.utf8)
        let spare = Array("{}[]:,\"\\u0e-.tn \n/“”".utf8) + [0x00, 0xC3, 0xFF]
        for size in 1...source.count { #expect(Self.tokens(source, by: size) == Self.tokens(source, by: .max)) }
        for _ in 0..<3000 {
            var text = source
            let place = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text.remove(at: place)
            case 1: text.insert(spare.randomElement(using: &random) ?? 0, at: place)
            case 2: text[place] = spare.randomElement(using: &random) ?? 0
            default: text.removeSubrange(place...)
            }
            let whole = Self.tokens(text, by: .max)
            let issue = text.withView { JSONTokenizer.firstIssue(in: $0) }
            if let issue { #expect(whole.last == "\(issue.description) \(issue.offset)") }
            for size in [1, 2, Int.random(in: 3...20, using: &random)] {
                #expect(Self.tokens(text, by: size) == whole, "\(String(decoding: text, as: UTF8.self)) by \(size)")
            }
        }
    }

    @Test func `A number at the end of a window is complete only at the end of the text`() {
        if case .cut = Self.verdict("12") {} else { Issue.record("12 might go on") }
        if case .sound(2) = Self.verdict("12", mayContinue: false) {} else { Issue.record("12 is a value") }
        if case .sound(2) = Self.verdict("12 ") {} else { Issue.record("12 has ended") }
    }

    @Test func `Text after the value is allowed on request`() {
        if case .sound(3) = Self.verdict("[1], [2") {} else { Issue.record("the first value is sound") }
        if case .wrong = Self.verdict("[1], [2", trailing: false) {} else { Issue.record("there is more text") }
    }

    @Test func `A window has its position in the text`() {
        let issue = "{\"a\": [1,\n é ?]}".withView {
            JSONTokenizer.firstIssue(
                in: $0, origin: TextPosition(line: 7, column: 10, offset: 500), prefix: [.key("tasks"), .index(3)])
        }
        #expect(
            issue?.description == "8:2 $.tasks[3].a[1]: expected a value after the comma, found the character U+00E9")
        #expect(issue?.offset == 511)
        let first = "[x".withView {
            JSONTokenizer.firstIssue(in: $0, origin: TextPosition(line: 7, column: 10, offset: 500))
        }
        #expect(first?.description == "7:11 $[0]: expected a value or ']', found 'x'")
    }

    @Test func `A byte order mark inside a text is not whitespace`() {
        let issue = "\u{FEFF}1".withView {
            JSONTokenizer.firstIssue(in: $0, origin: TextPosition(line: 1, column: 5, offset: 4))
        }
        #expect(issue?.description == "1:5 $: expected a value, found the byte order mark U+FEFF")
    }
}
