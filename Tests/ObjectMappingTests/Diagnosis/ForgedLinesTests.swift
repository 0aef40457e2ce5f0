import ObjectMapping
import Testing

/// Keys of a payload cannot forge lines of a log or control a terminal.
@Suite struct ForgedLinesTests {
    private struct Note: Mappable {
        var name = ""

        static let mapping = Mapping(Note.init) { Attribute("name", \.name).required }
    }

    private struct Draft: Mappable {
        var name = ""

        static let mapping = Mapping(Draft.init) { Attribute("name", \.name) }
    }

    private static let key = #""nam\n2026-11-26 FAKE \u001b[31m""#

    private static let texts: [(String, @Sendable () throws -> String)] = [
        ("a key path of elements", { try error { try Note.mapping.mapAll("{\(key): []}", at: "users") } }),
        (
            "a key path of a stream",
            { try error { try Note.mapping.elements(of: Array("{\(key): []}".utf8), at: "users").next() } }
        ),
        ("a payload", { try error { try PayloadMapping { Root("users", Note.mapping) }.map("{\(key): []}") } }),
        ("an object without mapped keys", { try error { try Draft.mapping.map("{\(key): 1}") } }),
        ("elements without mapped keys", { try error { try Draft.mapping.mapAll("[{\(key): 1}]") } }),
        ("an unread key", { "\(try Note.mapping.unreadKeyIssues(of: "{\(key): 1, \"name\": \"x\"}"))" }),
        ("an explanation", { "\(Note.mapping.explain("{\(key): 1}"))".replacing("\n", with: "") }),
    ]

    private static func error(_ body: () throws -> some Any) throws -> String {
        let error = #expect(throws: MappingError.self) { _ = try body() }
        return try #require(error).details
    }

    @Test(arguments: texts.indices) func `Messages escape the keys of a payload`(_ index: Int) throws {
        let text = try Self.texts[index].1()
        #expect(text.contains("FAKE"), "\(Self.texts[index].0): \(text)")
        #expect(
            !text.unicodeScalars.contains { $0.properties.generalCategory == .control },
            "\(Self.texts[index].0): \(text)")
    }
}
