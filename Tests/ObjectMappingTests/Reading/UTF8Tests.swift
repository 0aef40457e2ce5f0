import ObjectMapping
import Testing

struct UTF8Tests {
    /// Bytes at the limits of valid bytes in a character.
    private static let borders: [UInt8] = [0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xED, 0xFF]

    private static let contexts: [[UInt8]] = [
        [], [0xE2, 0x82, 0xAC], [0x61], [0xE2, 0x82, 0xAC, 0xE2, 0x82, 0xAC, 0xE2, 0x82, 0xAC],
    ]

    private static let mapping = Mapping({ Box() }) { Attribute("k", \.text) }

    /// Whether typed mapping and tree refuse a text as broken, or read it unchanged.
    private static func check(_ content: [UInt8]) throws {
        let text = Array("{\"k\":\"".utf8) + content + Array("\",\"n\":\"".utf8) + content + Array("\"}".utf8)
        let expected = String(validating: content, as: UTF8.self)
        let found = try? mapping.map(GuardedText(text)).text
        if found.map({ Array($0.utf8) }) != expected.map({ Array($0.utf8) }) {
            Issue.record("\(content): \(found ?? "broken"), not \(expected ?? "broken")")
        }
        #expect((try? JSON(text)["k"].string) == expected)
    }

    @Test(arguments: UInt8(0xE0)...0xF5) func `Characters of several bytes are checked at each border`(lead: UInt8)
        throws
    {
        for second in Self.borders {
            for third in Self.borders {
                let character = [lead, second, third] + (lead >= 0xF0 ? [0x80] : [])
                for context in Self.contexts {
                    try Self.check(context + character)
                    if !context.isEmpty { try Self.check(character + context) }
                }
            }
        }
    }

    @Test func `A character cut off by the quote is broken`() throws {
        for character in ["\u{E9}", "\u{20AC}", "\u{1F600}"] {
            let bytes = Array(character.utf8)
            for count in 1...bytes.count {
                for before in 0..<9 { try Self.check(Array(repeating: 0x61, count: before) + bytes.prefix(count)) }
            }
        }
    }
}
