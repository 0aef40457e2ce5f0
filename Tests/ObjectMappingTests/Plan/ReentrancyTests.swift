import ObjectMapping
import Synchronization
import Testing

/// A part that maps its own JSON with the running mapping.
private struct Nested: Mappable, JSONConvertible, Equatable {
    var id = 0
    var names: [String] = []
    var inner: [Nested] = []

    init() {}

    init?(json: JSON) {
        guard let value = try? Nested.mapping.map(json) else { return nil }
        self = value
    }

    var json: JSON { ["id": .integer(id), "names": names.json, "inner": inner.json] }

    static let mapping = Mapping(Nested.init) {
        Attribute("id", \.id)
        Attribute("names", \.names)
        Attribute("inner", \.inner)
    }
}

/// A class that counts its instances.
private final class Counted: Mappable {
    static let living = Atomic(0)
    static let made = Atomic(0)

    var name = "none"
    var parts: [Counted] = []
    var part: Counted?

    init() {
        Counted.living.add(1, ordering: .relaxed)
        Counted.made.add(1, ordering: .relaxed)
    }

    deinit { Counted.living.subtract(1, ordering: .relaxed) }

    static let mapping = Mapping({ Counted() }) {
        Attribute("name", \.name)
        Relationship("parts", \.parts)
        Relationship("part", \.part)
        Relationship("all.@unionOfArrays.parts", \.parts)
    }
}

@Suite(.serialized) struct ReentrancyTests {
    @Test func `A conversion can use the running mapping`() throws {
        let text =
            #"{"id": 1, "inner": [{"id": 2, "names": ["a"], "inner": [{"id": 3, "inner": {"id": 4}}]}, {}], "names": ["b"]}"#
        let value = try Nested.mapping.map(GuardedText(text))
        #expect(value.inner.first?.inner.first?.inner.first?.id == 4)
        #expect(value.inner.first?.names == ["a"])
        #expect(value.names == ["b"] && value.inner.count == 2)
        #expect(throws: MappingError.self) { try Nested.mapping.map(#"{"inner": [{"inner": [{"id": "x"}]}]}"#) }
    }

    @Test(arguments: [
        #"{"name": "a", "parts": [{"parts": [{}, {}]}, null, {}], "part": {}, "part": {"name": "b"}}"#,
        #"[{"parts": [{}, {"name": []}]}, {"parts": [{}, {}, {"part": 5}]}]"#,
        #"{"parts": [{}, {"parts": [{}, {"name": "x"}"#, #"[{}, {"part": {"part": {}}}, {"parts": [{}, {}, {}, nul"#,
        #"{"all": [{"parts": [{}, {"part": {}}]}, {"parts": [{"name": "a"}]}]}"#,
        #"{"all": [{"parts": [{}, 7]}, {"parts": 1}]}"#,
    ]) func `All objects are released after any payload`(text: String) throws {
        for _ in 0..<3 {
            _ = try? Counted.mapping.map(GuardedText(text))
            _ = try? Counted.mapping.mapAll(GuardedText(text))
            let kept = Counted()
            try? Counted.mapping.update(kept, from: GuardedText(text))
        }
        #expect(Counted.living.load(ordering: .relaxed) == 0)
    }

    @Test func `One object is created for each object of a payload`() throws {
        let before = Counted.made.load(ordering: .relaxed)
        _ = try Counted.mapping.map(#"{"parts": [{}, {"part": {}}], "part": {"parts": []}}"#)
        #expect(Counted.made.load(ordering: .relaxed) - before == 5)
    }

    @Test func `A mapping is compiled and used by many threads at once`() async throws {
        for _ in 0..<20 {
            let inner = Mapping({ Box() }) {
                Attribute("int", \.int)
                Attribute("texts", \.texts)
                Attribute("ints.@sum", \.double)
            }
            let results = await withTaskGroup(of: [Box]?.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let text = (0..<20).map {
                            #"{"int": \#(number), "texts": ["t\#($0)", "\u00e9"], "ints": [1, \#($0)]}"#
                        }
                        return try? inner.mapAll("[\(text.joined(separator: ","))]")
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for boxes in results {
                let boxes = try #require(boxes)
                #expect(boxes.count == 20 && Set(boxes.map(\.int)).count == 1)
                #expect(boxes[7].texts == ["t7", "\u{E9}"] && boxes[7].double == 8)
            }
        }
    }
}
