import Foundation
import ObjectMapping
import Testing

@Suite("Formats of payloads")
struct PayloadFormatTests {
    struct Named: PayloadFormat, Equatable {
        let name: String
        let mediaTypes: [String]
        var pathExtensions: [String] { [name] }
        func decode(_ data: Data) throws -> JSON { .string(name) }
        func encode(_ value: JSON, root: String?) throws -> Data { Data() }
    }

    private static let formats = PayloadFormats([
        .json, Named(name: "exact", mediaTypes: ["application/atom+xml"]),
        Named(name: "xml", mediaTypes: ["application/xml", "application/*+xml", "text/xml"]),
        Named(name: "text", mediaTypes: ["text/*"]),
    ])

    @Test(
        arguments: [
            ("application/json", "json"), ("APPLICATION/JSON", "json"), ("application/problem+json", "json"),
            ("application/atom+xml", "exact"), ("application/rss+xml", "xml"), ("application/xml", "xml"),
            ("text/xml", "xml"), ("text/html", "text"), ("application/+xml", "xml"), ("application/json-seq", nil),
            ("image/png", nil), ("", nil), ("application", nil), ("text", nil),
        ] as [(String, String?)])
    func `A media type has the format that names it, or else one whose pattern matches`(
        _ type: String, _ name: String?
    ) {
        #expect(Self.formats.format(mediaType: type)?.pathExtensions.first == name)
    }

    @Test func `The format that was registered last takes precedence, until it is removed`() {
        var formats = PayloadFormats()
        formats.register(Named(name: "first", mediaTypes: ["text/x"]))
        formats.register(Named(name: "second", mediaTypes: ["text/x"]))
        #expect(formats.format(mediaType: "text/x")?.pathExtensions == ["second"])
        #expect(formats.format(pathExtension: "FIRST")?.pathExtensions == ["first"])
        formats.remove(mediaType: "Text/X")
        #expect(formats.format(mediaType: "text/x") == nil && formats.format(pathExtension: "second") == nil)
        #expect(formats.format(mediaType: "application/json") is JSONFormat)
        formats.remove(mediaType: "application/json")
        #expect(formats.format(mediaType: "application/json") == nil)
    }

    struct Task: Mappable, Equatable {
        var name = ""
        var done = false
        static let mapping = Mapping(Task.init) {
            Attribute("name", \.name); Attribute("done", \.done)
        }
    }

    /// Members as `name=value`, separated by ampersands.
    struct PairFormat: PayloadFormat {
        struct Failure: Error { let text: String }
        var mediaTypes: [String] { ["text/x-pairs"] }
        var pathExtensions: [String] { [] }
        func decode(_ data: Data) throws -> JSON {
            let pairs = try String(decoding: data, as: UTF8.self).split(separator: "&").map { pair in
                let parts = pair.split(separator: "=").map(String.init)
                guard parts.count == 2 else { throw Failure(text: String(pair)) }
                return (key: parts[0], value: parts[1].json)
            }
            return .object(JSONObject(pairs))
        }
        func encode(_ value: JSON, root: String?) throws -> Data { Data() }
    }

    @Test func `A mapping reads payloads of any format`() throws {
        let data = Data("name=Kettle&done=true".utf8)
        let task = try Task.mapping.map(Payload(data, format: PairFormat()))
        #expect(task == Task(name: "Kettle", done: true))
        let text = Data(#"{"name": "Kettle", "done": true}"#.utf8)
        #expect(try Task.mapping.map(Payload(text, format: .json)) == task)
    }

    @Test(arguments: ["name=Kettle&done=maybe", "name=Kettle&done=maybe&name=x"])
    func `An issue of a value has its path, and no position in the JSON form`(_ text: String) throws {
        let payload = try Payload(Data(text.utf8), format: PairFormat())
        let error = #expect(throws: MappingError.self) { try Task.mapping.map(payload) }
        #expect(error?.issues.map(\.path) == ["$.done"] && error?.issues.map(\.line) == [0])
        let mapping = PayloadMapping { Root("", Task.mapping) }
        let rooted = #expect(throws: MappingError.self) { try mapping.map(payload) }
        #expect(rooted?.issues.map(\.line) == [0])
        let json = try Payload(Data(#"{"done": "maybe"}"#.utf8), format: .json)
        #expect(#expect(throws: MappingError.self) { try Task.mapping.map(json) }?.issues.map(\.column) == [10])
    }

    @Test func `The error of a format is an issue whose description has no values`() throws {
        let data = Data("secret".utf8)
        let error = #expect(throws: MappingError.self) { try Task.mapping.map(Payload(data, format: PairFormat())) }
        #expect(error?.issues.map(\.kind) == [.syntax])
        #expect(error?.description == "1:1 $: expected text/x-pairs, found Failure")
        #expect(error?.details.contains("secret") == true)
    }
}
