/// The regular expression of a column that extracts a part of a text.
final class PatternBox: ValueBox {
    private let pattern: String
    private let type: AttributeType

    override var expectation: String { type.expectation }

    init(_ pattern: String, _ type: AttributeType) {
        self.pattern = pattern
        self.type = type
        super.init(size: 0, alignment: 1)
    }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _: Memory) -> Bytes? {
        reader.matched(place, entry)
    }

    /// Returns the first capture; `nil` if the text does not match.
    func firstCapture(of text: String, _ reader: inout PlanReader) throws(MatchTimeout) -> String? {
        // Expressions are not shared between threads, so each decode compiles its own.
        let known = reader.rows.patterns[pattern]
        guard let expression = known ?? TimedExpression(pattern) else { return nil }
        if known == nil { reader.rows.patterns[pattern] = expression }
        return try expression.firstCapture(of: text)
    }
}

/// A match that took longer than ``TimedExpression/limit``.
struct MatchTimeout: Error {}

/// A regular expression whose matches have a time limit.
///
/// Matches of Swift's expressions backtrack, can take exponential time, and cannot be interrupted. Matches that could be
/// slow run on another thread, which is abandoned at the limit.
final class TimedExpression: @unchecked Sendable {  // used by one thread at a time, and never again after a timeout
    /// The time limit of a match in seconds.
    static var limit: Int { 2 }

    private let expression: Regex<AnyRegexOutput>
    /// The number of choices in the expression; `nil` if a group is repeated, so that it does not bound the time.
    private let choices: Int?
    private var capture: String?
    private(set) var hasTimedOut = false

    /// Returns `nil` if the pattern is invalid.
    init?(_ pattern: String) {
        guard let expression = try? Regex(pattern) else { return nil }
        self.expression = expression
        let characters = pattern.utf8.filter { $0 > UInt8(ascii: " ") }
        let repeatsGroup = zip(characters, characters.dropFirst()).contains { group, next in
            group == UInt8(ascii: ")") && "*+{".utf8.contains(next)
        }
        choices = repeatsGroup ? nil : characters.count(where: "*+?{|".utf8.contains)
    }

    func firstCapture(of text: String) throws(MatchTimeout) -> String? {
        if hasTimedOut { throw MatchTimeout() }
        if isQuick(text.utf8.count) {
            match(text)
        } else {
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { [self] in
                match(text)
                isDone.signal()
            }
            guard isDone.wait(timeout: .now() + .seconds(Self.limit)) == .success else {
                hasTimedOut = true
                throw MatchTimeout()
            }
        }
        defer { capture = nil }
        return capture
    }

    private func match(_ text: String) {
        guard let output = try? expression.firstMatch(in: text)?.output, output.count > 1 else { return }
        capture = output[1].substring.map(String.init)
    }

    /// Whether trying all choices at all positions of a text takes a fraction of a second.
    private func isQuick(_ count: Int) -> Bool {
        guard let choices else { return false }
        return (0...choices).reduce(1.0) { steps, _ in steps * Double(count) } < 1_000_000
    }
}
