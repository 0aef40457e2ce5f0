import ObjectMapping
import Testing

private struct Numbered: Equatable {
    var number = 0
    var id = 0

    static func number(_ number: Int) -> Mapping<Numbered> {
        Mapping({ Numbered(number: number) }) { Attribute("id", \.id) }
    }

    static let mapping = Mapping<Numbered>(matching: {
        Match("type", is: "a", Numbered.number(1))
        Match("type", is: "b", Numbered.number(2))
        Match("of.type", is: "c", Numbered.number(3))
        Otherwise(Numbered.number(0))
    })
}

/// The position of the member that selects the mapping of an object.
@Suite struct DiscriminatorTests {
    @Test(arguments: [
        (#"{"type": "b", "id": 5}"#, 2), (#"{"id": 5, "type": "b"}"#, 2), (#"{"id": 5, "type": "a", "type": "b"}"#, 2),
        (#"{"type": "b", "id": 5, "type": "x"}"#, 0), (#"{"ty\u0070e": "b", "id": 5}"#, 2),
        (#"{"type": "a", "id": 5, "\u0074ype": "\u0062"}"#, 2), (#"{"id": 5, "typ": "a", "types": "a"}"#, 0),
        (#"{"of": {"type": "c"}, "id": 5}"#, 3), (#"{"id": 5, "of": {"x": {"type": "a"}, "type": "c"}}"#, 3),
        (#"{"of": {"type": "c"}, "id": 5, "of": {}}"#, 0), (#"{"of": [{"type": "c"}], "id": 5}"#, 0),
        (#"{"type": null, "id": 5, "of": {"type": "x", "type": "c"}}"#, 3),
    ])
    func `The last discriminator of an object selects its mapping`(text: String, number: Int) throws {
        let expected = Numbered(number: number, id: 5)
        #expect(try Numbered.mapping.map(text) == expected)
        let padding = String(repeating: "[\"skipped\", {\"type\": \"a\"}], ", count: 2_000)
        let large = #"{"large": [\#(padding)0], \#(text.dropFirst())"#
        #expect(try Numbered.mapping.mapAll("[\(text), \(large), \(text)]") == [expected, expected, expected])
    }
}
