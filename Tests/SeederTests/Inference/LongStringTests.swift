import Foundation
import TestSupport
import Testing

@testable import ObjectMapping
@testable import Seeder

/// Statistics contain the start and a hash of long strings, in place of a copy.
@Suite struct LongStringTests {
    private static func shortened(_ text: String) -> String {
        Array(text.utf8).withView { String(decoding: ShortenedText($0).bytes, as: UTF8.self) }
    }

    @Test(arguments: [
        "x", #"\""#, #"\\"#, #"\u00e9"#, #"\ud83d\ude00"#, "é", "😀", #"a\\\"b"#, #"\n\ud83d\ude00é"#,
    ])
    func `A long string is valid JSON after it is shortened, with its start and the same distinctness`(
        unit: String
    ) throws {
        func text(_ end: String) -> String {
            #"{"a":"","k\"":["#
                + (0..<3).map {
                    "\"" + String(repeating: "y", count: $0) + String(repeating: unit, count: 70_000) + end + "\""
                }
                .joined(separator: ",") + #"],"z":"\\"}"#
        }
        let json = try JSON(Self.shortened(text("1")))
        #expect(json["a"].string == "" && json["z"].string == "\\")
        let strings = (json["k\""].array ?? []).compactMap(\.string)
        #expect(strings.count == 3 && strings.allSatisfy { (10_000..<70_000).contains($0.utf8.count) })
        let whole = try JSON(text("1"))["k\""].array?.compactMap(\.string) ?? []
        for (short, long) in zip(strings, whole) { #expect(long.hasPrefix(short.prefix(5_000))) }
        #expect(try JSON(Self.shortened(text("2")))["k\""][0].string != strings[0])
        #expect(Self.shortened(text("1")) == Self.shortened(text("1")))
    }

    @Test func `Texts without long strings are unchanged`() {
        let text = "{" + (0..<20_000).map { #""k\#($0)":"\#($0)""# }.joined(separator: ",") + "}"
        #expect(Self.shortened(text) == text)
        #expect(Self.shortened("[1]") == "[1]")
    }

    @Test func `Identities and types of long strings are found`() throws {
        let blob = Data(repeating: 7, count: 120_000).base64EncodedString()
        let elements = (0..<3).map {
            #"{"id":\#($0),"image":"\#(blob)","text":"\#(String(repeating: "é ", count: 90_000))\#($0)"}"#
        }
        let folder = try TemporaryDirectory()
        try folder.write("[" + elements.joined(separator: ",") + "]", to: "photos.json")
        let draft = try ManifestInference(dumps: [folder.file("photos.json")], base: folder.url).run()
        #expect(draft.text.contains(#""image": { "type": "data", "optional": false }"#))
        #expect(draft.text.contains(#""text":  { "type": "string", "optional": false }"#))
        #expect(draft.text.contains(#""identifiedBy": "id""#))
    }
}
