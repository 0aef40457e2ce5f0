import ObjectMapping
import Testing

@Suite("Models that are notified of their location in a payload")
struct ReceivedObjectTests {
    struct Place: Mappable, PayloadReceiving, Equatable {
        var name = ""
        var parts: [Place] = []
        var range: Range<Int>?

        static func received(_ model: inout Place, at range: Range<Int>) { model.range = range }

        static let mapping = Mapping(Place.init) {
            Attribute("name", \.name)
            Relationship("parts", \.parts)
        }

        /// The texts of the place and its parts.
        func texts(in payload: String) -> [String] {
            let text = range.map { String(decoding: Array(payload.utf8)[$0], as: UTF8.self) } ?? "no range"
            return [text] + parts.flatMap { $0.texts(in: payload) }
        }
    }

    private static func expectObjects(_ place: Place, in payload: String) {
        for text in place.texts(in: payload) {
            #expect(text.hasPrefix("{") && text.hasSuffix("}") && (try? JSON(text)) != nil, "found \(text)")
        }
    }

    @Test(arguments: [
        #" {"name": "a", "parts": [{"name":"é"} , {"parts":[{}]}]} "#, #"[{"parts": [{"name": "b"}]}]"#,
        "\u{FEFF}{\"name\": \"a\"}",
    ])
    func `Each object has the range of its text`(_ payload: String) throws {
        for place in try Place.mapping.mapAll(payload) { Self.expectObjects(place, in: payload) }
    }

    /// The end of a text from 512 bytes is read in a copy.
    @Test(arguments: [0, 300, 420, 480, 500, 511, 512, 600, 5000, 20_000])
    func `Objects of long texts have their ranges, too`(_ length: Int) throws {
        let padding = String(repeating: "x", count: length)
        for extra in 0..<80 {
            let end = String(repeating: "y", count: extra)
            let payload = #"{"name": "\#(padding)", "parts": [{"name": "b"}, {"name": "\#(end)"}]}"#
            let place = try Place.mapping.map(payload)
            #expect(place.range == 0..<payload.utf8.count)
            Self.expectObjects(place, in: payload)
        }
    }

    @Test func `An updated model is notified`() throws {
        var place = Place(name: "a")
        try Place.mapping.update(&place, from: #" {"name":"b"}"#)
        #expect(place.range == 1..<13)
    }

    final class Node: Mappable, PayloadReceiving {
        var next: Node?
        var count = 0
        init() {}
        static func received(_ model: inout Node, at range: Range<Int>) { model.count = range.count }
        static let mapping = Mapping({ Node() }) { Relationship("next", \.next) }
    }

    @Test func `Objects of classes are notified`() throws {
        let node = try Node.mapping.map(#"{"next": {"next": null}}"#)
        #expect(node.count == 24 && node.next?.count == 14)
    }
}
