import ObjectMapping
import Testing

/// The outer values that rules of a streamed element can read.
struct StreamContextTests {
    struct Part: Equatable {
        var id = 0
        var owner = ""
        var key = ""
        var index = -1
        var batch = ""
    }

    struct Whole: Equatable {
        var id = ""
        var parts: [Part] = []
    }

    private static func mapping(_ rule: Attribute<Part, String>) -> Mapping<Part> {
        Mapping(Part.init) {
            Attribute("id", \.id)
            rule
        }
    }

    private static func models<Model>(
        _ mapping: Mapping<Model>, _ text: String, at path: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions()
    ) async -> [String] {
        var all: [[String]] = []
        for size in [1, 6, 1000] {
            var stream = mapping.stream(
                from: CountedChunks(text.utf8, by: size), at: path, each: shape, options: options,
                rejecting: { _ in })
            stream.windowSize = 8
            all.append(await streamTexts(stream))
        }
        #expect(all[0] == all[1])
        #expect(all[0] == all[2])
        return all[0]
    }

    @Test func `The key of an element is that of its member`() async {
        let mapping = Mapping(Part.init) {
            Attribute("id", \.id)
            Attribute(.key, \.key)
        }
        let texts = await Self.models(
            mapping, #"{"before": {"x": 1}, "parts": {"a\u00e9": {"id": 1}, "b": {"id": 2}}}"#, at: "parts",
            each: .member)
        #expect(
            texts == [
                #"Part(id: 1, owner: "", key: "aé", index: -1, batch: "")"#,
                #"Part(id: 2, owner: "", key: "b", index: -1, batch: "")"#,
            ])
    }

    @Test(arguments: [ElementShape.element, .line])
    func `The index of an element and the caller's metadata are available`(shape: ElementShape) async {
        let mapping = Mapping(Part.init) {
            Attribute("id", \.id)
            Attribute(.index, \.index)
            Attribute(.metadata("batch"), \.batch)
        }
        let text = shape == .line ? "{\"id\": 7}\n{\"id\": 8}\n" : "[{\"id\": 7}, {\"id\": 8}]"
        let texts = await Self.models(
            mapping, text, each: shape, options: MappingOptions(metadata: ["batch": .string("B1")]))
        #expect(
            texts == [
                #"Part(id: 7, owner: "", key: "", index: 0, batch: "B1")"#,
                #"Part(id: 8, owner: "", key: "", index: 1, batch: "B1")"#,
            ])
    }

    @Test func `Parents inside of an element are available`() async {
        let part = Self.mapping(Attribute(.parent("id"), \.owner))
        let mapping = Mapping(Whole.init) {
            Attribute("id", \.id)
            Relationship("parts", \.parts, part)
        }
        let texts = await Self.models(mapping, #"[{"id": "w", "parts": [{"id": 1}]}]"#)
        #expect(
            texts == [
                #"Whole(id: "w", parts: [ObjectMappingTests.StreamContextTests.Part(id: 1, owner: "w", key: "", index: -1, batch: "")])"#
            ])
    }

    @Test func `Parents outside of an element are refused`() async {
        let mapping = Self.mapping(Attribute(.parent("id"), \.owner))
        let texts = await Self.models(mapping, #"{"id": "w", "parts": [{"id": 1}, {"id": 2}]}"#, at: "parts")
        #expect(
            texts == [
                """
                error expected a mapping without sources outside of an element, for a stream, found the \
                source .parent
                """
            ])
    }

    @Test func `Parents outside of an element are refused for nested objects`() async {
        struct Whole {
            var part: Part?
        }
        let mapping = Mapping(Whole.init) {
            Relationship("part", \.part, Self.mapping(Attribute(.parent("id", levels: 2), \.owner)))
        }
        let texts = await Self.models(mapping, #"{"id": "w", "wholes": [{"part": {"id": 1}}]}"#, at: "wholes")
        #expect(
            texts == [
                """
                error expected a source in the element (a stream keeps only the element in memory), found a \
                source outside of it \
                (rule @parent.@parent.id -> Part.owner)
                """
            ])
    }

    @Test func `The root is refused, except for lines, which are separate documents`() async {
        let mapping = Self.mapping(Attribute(.root("name"), \.owner))
        #expect(
            await Self.models(mapping, #"{"name": "w", "parts": [{"id": 1}]}"#, at: "parts") == [
                """
                error expected a mapping without sources outside of an element, for a stream, found the \
                source .root
                """
            ])
        #expect(
            await Self.models(mapping, #"{"name": "w", "id": 1}"#, each: .line)
                == [#"Part(id: 1, owner: "w", key: "", index: -1, batch: "")"#])
    }

    @Test func `Dynamic keys give any number of models per element`() async {
        let mapping = Mapping(Part.init) {
            Attribute(.key, \.key)
            Attribute("{key}.id", \.id)
        }
        let texts = await Self.models(mapping, #"[{"a": {"id": 1}, "b": {"id": 2}}, {}, {"c": {"id": 3}}, {"d": 4}]"#)
        #expect(
            texts == [
                #"Part(id: 1, owner: "", key: "a", index: -1, batch: "")"#,
                #"Part(id: 2, owner: "", key: "b", index: -1, batch: "")"#,
                #"Part(id: 3, owner: "", key: "c", index: -1, batch: "")"#,
            ])
    }
}
