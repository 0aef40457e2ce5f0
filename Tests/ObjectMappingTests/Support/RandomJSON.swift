import ObjectMapping
import TestSupport

/// Creates random valid JSON texts: kinds, nesting, whitespace, escapes and numbers of every kind.
struct RandomJSON {
    var random: SeededGenerator
    /// The keys of objects.
    var keys = [
        "id", "name", "tags", "a", "b", "items", "owner", "\u{E9}t\u{E9}", "with space", "dot.key", "q\"uote", "x",
    ]
    /// Whether objects can have repeated keys.
    var repeatsKeys = false

    init(seed: Int) { random = SeededGenerator(seed: UInt64(truncatingIfNeeded: seed)) }

    mutating func value(_ depth: Int = 4) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0: "null"
        case 1: random.pick(["true", "false"])
        case 2, 3: number()
        case 4, 5: string()
        case 6, 7: array(depth)
        default: object(depth)
        }
    }

    mutating func object(_ depth: Int = 4) -> String {
        var members: [String] = []
        for key in keys where random.chance(in: 2) {
            for _ in 0..<(repeatsKeys && random.chance(in: 8) ? 2 : 1) {
                members.append(blank() + spelled(key) + blank() + ":" + blank() + value(depth - 1) + blank())
            }
        }
        return "{" + (members.isEmpty ? blank() : members.shuffled(using: &random).joined(separator: ",")) + "}"
    }

    mutating func array(_ depth: Int = 4) -> String {
        let elements = (0..<Int.random(in: 0..<5, using: &random)).map { _ in blank() + value(depth - 1) + blank() }
        return "[" + (elements.isEmpty ? blank() : elements.joined(separator: ",")) + "]"
    }

    mutating func number() -> String {
        random.pick([
            "0", "-0", "1", "12", "-7", "1.0", "1e3", "1.5", "-2.25e-3", "9223372036854775807", "9223372036854775808",
            "18446744073709551616", "0.1", "123456789012345678901234567890", "1E+2", "3.141592653589793", "1e-400",
            "\(Int.random(in: -1_000_000...1_000_000, using: &random))",
        ])
    }

    mutating func string() -> String {
        spelled(
            random.pick([
                "", "a", "true", "12", "-1.5e2", "2026-11-21T07:23:00Z", "2026-11-21", "\u{E9}t\u{E9}", "\u{1F600}",
                "line\nbreak",
                "back\\slash", "quo\"te", "\u{1}", "tab\t", "01234567", "0123456789abcdef0123456789", "yes",
                "https://example.com/a?b=c", "9B2D7E0A-4B0C-4F57-8B0C-3C3E7E3A9F11", "aGVsbG8=",
                String(repeating: "long ", count: Int.random(in: 0..<40, using: &random)),
            ]))
    }

    /// A string in one of its possible spellings.
    mutating func spelled(_ text: String) -> String {
        guard random.chance(in: 4) else { return JSONText.quoted(text) }
        var spelled = "\""
        for unit in text.utf16 {
            let digits = String(unit, radix: 16)
            spelled += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return spelled + "\""
    }

    mutating func blank() -> String {
        random.chance(in: 3) ? random.pick([" ", "\n", "\t", "\r\n", "  ", "                  "]) : ""
    }
}
