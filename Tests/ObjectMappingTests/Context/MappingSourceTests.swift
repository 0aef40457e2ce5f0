import ObjectMapping
import Testing

@Suite struct MappingSourceTests {
    @Test(arguments: [
        ("id", MappingSource(["id"])),
        ("@key", .key),
        ("@index", .index),
        ("@metadata.mapping.collectionIndex", .index),
        ("@parent", .parent),
        ("@parent.id", .parent("id")),
        ("@parent.@parent.id", .parent("id", levels: 2)),
        ("@parent.@parent", .parent("", levels: 2)),
        ("@parent.tasks.@count", .parent("tasks.@count")),
        ("@root", .root),
        ("@root.meta.version", .root("meta.version")),
        ("@metadata.HTTP.request.URL", .metadata("HTTP.request.URL")),
        ("self.name", "name"),
        ("self.@parent.id", .parent("id")),
        ("", .value),
    ])
    func `Outer sources have the syntax of RestKit`(text: String, source: MappingSource) {
        #expect("\(text)" as MappingSource == source)
    }

    @Test(arguments: [
        "self", "selfie.href", "@parents", #"\@parent.id"#, #"\self.href"#, "a.@parent.b", "{}.a", "a{b}.c",
    ])
    func `Other texts are key paths`(text: String) {
        #expect("\(text)" as MappingSource == MappingSource(JSONKeyPath(text)))
    }

    @Test func `Keys given as components are never keywords`() {
        #expect(["self", "href"] as MappingSource == MappingSource(JSONKeyPath(components: ["self", "href"])))
        #expect(["@parent", "id"] as MappingSource != "@parent.id")
        #expect(["{name}", "id"] as MappingSource != "{name}.id")
    }

    @Test(arguments: [
        "id", "a.b", "@key", "@index", "@parent.id", "@parent.@parent.id", "@root.a.b", "@metadata.url", "{name}.id",
        "{year}.{month}.total", "{name}", "@parent", "@root",
    ])
    func `The description of a source is its text`(text: String) {
        #expect(("\(text)" as MappingSource).description == text)
    }

    @Test func `Several sources are described in order`() {
        #expect(MappingSource.first("id", .parent("id"), .key("year")).description == "id or @parent.id or {year}")
    }
}
