import ObjectMapping
import Testing

/// Lists grow in memory that all lists of a decode share, and in their own memory if they are long.
struct ListGrowthTests {
    private struct Lists: Sendable {
        var ints: [[Int]] = []
        var texts: [[[String?]]] = []
        var small: [UInt8] = []
        var flags: [Bool?] = []
    }

    /// A model larger than a stack allocation.
    private struct Large: Mappable {
        var id = 0
        var block = SIMD64<Double>(repeating: 7)
        var name = ""
        var parts: [Large] = []
        var part: [Large]?

        static let mapping = Mapping({ Large() }) {
            Attribute("id", \.id)
            Attribute("name", \.name)
            Relationship("parts", \.parts)
            Relationship("part", \.part)
        }
    }

    private struct Nothing: Mappable {
        static let mapping = Mapping({ Nothing() }) {}
    }

    /// Objects of a class with as many nested lists.
    private final class Tree: Mappable {
        var id = 0
        var larges: [Large] = []
        var trees: [Tree] = []
        var nothing: Nothing? = Nothing()
        var nothings: [Nothing]? = []

        static let mapping = Mapping({ Tree() }) {
            Attribute("id", \.id)
            Relationship("larges", \.larges)
            Relationship("trees", \.trees)
            Relationship("nothing", \.nothing)
            Relationship("nothings", \.nothings)
        }
    }

    private static let lists = Mapping({ Lists() }) {
        Attribute("ints", \.ints)
        Attribute("texts", \.texts)
        Attribute("small", \.small)
        Attribute("flags", \.flags)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 33, 300, 2100]) func `Nested lists can have any length`(count: Int) throws {
        let ints = (0..<count).map { number in (0..<number % 40).map { $0 * number } }
        let texts = (0..<count % 400).map { number in
            (0..<number % 20).map { inner in (0..<inner).map { $0 == 3 ? nil : "a text of some length \(number) \($0)" }
            }
        }
        let long = Array(0..<count * 3)
        let text = """
            {"ints": [\(ints.map(\.description).joined(separator: ",")), \(long)], "small": \(long.map { $0 % 256 }),
             "texts": \(texts.description.replacing("Optional(", with: "").replacing(")", with: "").replacing("nil", with: "null")),
             "flags": [\(long.map { ["true", "false", "null"][$0 % 3] }.joined(separator: ","))]}
            """.replacing("[, ", with: "[")
        let lists = try Self.lists.map(GuardedText(text))
        #expect(lists.ints == ints + [long])
        #expect(lists.texts == texts)
        #expect(lists.small == long.map { UInt8($0 % 256) })
        #expect(lists.flags == long.map { [true, false, nil][$0 % 3] })
    }

    @Test func `A list continues after a nested list has left the shared memory`() throws {
        func tree(_ depth: Int) -> String {
            let larges = (0..<40).map { #"{"id": \#($0), "name": "the name of a large part \#($0)"}"# }
            let trees = depth == 0 ? "" : (0..<3).map { _ in tree(depth - 1) }.joined(separator: ",")
            return #"{"id": \#(depth), "trees": [\#(trees)], "larges": [\#(larges.joined(separator: ","))]}"#
        }
        func check(_ tree: Tree, _ depth: Int) {
            #expect(tree.id == depth && tree.trees.count == (depth == 0 ? 0 : 3))
            #expect(tree.larges.map(\.id) == Array(0..<40))
            #expect(tree.larges.last?.name == "the name of a large part 39")
            #expect(tree.larges.allSatisfy { $0.block == SIMD64(repeating: 7) })
            for inner in tree.trees { check(inner, depth - 1) }
        }
        check(try Tree.mapping.map(tree(3)), 3)
        for tree in try Tree.mapping.mapAll("[\(Array(repeating: tree(1), count: 30).joined(separator: ","))]") {
            check(tree, 1)
        }
    }

    @Test func `Large models nest, and models without properties are counted`() throws {
        let part = #"{"id": 2, "name": "a name that needs memory", "parts": [{"id": 3}, {"id": 4, "part": {"id": 5}}]}"#
        let large = try Large.mapping.map(#"{"id": 1, "part": \#(part), "parts": [\#(part), \#(part)]}"#)
        #expect(large.part?.first?.parts.last?.part?.first?.id == 5)
        #expect(large.parts.map(\.name) == ["a name that needs memory", "a name that needs memory"])
        let tree = try Tree.mapping.map(#"{"nothing": null, "nothings": [{}, {"a": 1}, null, {}]}"#)
        #expect(tree.nothing == nil && tree.nothings?.count == 3)
        #expect(try Nothing.mapping.mapAll("[{}, {}]").count == 2)
    }

    @Test(arguments: ["7", "{", "{\"id\": }", "{\"larges\": [{\"name\": \"another name of some length\"}, {]}", "]"])
    func `Elements before a broken or invalid one are released`(end: String) throws {
        let larges = Array(repeating: #"{"name": "the name of a large part"}"#, count: 50).joined(separator: ",")
        let text = #"{"trees": [{"larges": [\#(larges)]}, {"trees": [{"larges": [\#(larges)]}, \#(end)"#
        #expect(throws: MappingError.self) { try Tree.mapping.map(GuardedText(text)) }
        #expect(throws: MappingError.self) { try Tree.mapping.map(GuardedText(text + "]}]}")) }
        #expect(throws: MappingError.self) { try Tree.mapping.mapAll(GuardedText("[\(text), \(text)]}]}]")) }
    }

    @Test(arguments: [0, 1, 63, 64, 65, 128, 129, 1000])
    func `A collection of any length keeps its order, its issues and no model of a broken text`(count: Int) throws {
        let objects = (0..<count).map { #"{"id": \#($0), "trees": [{"id": -\#($0)}]}"# }
        // Very different sizes mislead the estimate of their number.
        let texts = [objects, objects.map { $0 + String(repeating: " ", count: $0.utf8.count % 7 * 40) }]
        for text in texts {
            let trees = try Tree.mapping.mapAll("[\(text.joined(separator: ","))]")
            #expect(trees.map(\.id) == Array(0..<count))
            #expect(trees.map { $0.trees.map(\.id) } == (0..<count).map { [-$0] })
        }
        let wrong = #expect(throws: MappingError.self) {
            try Tree.mapping.mapAll("[\((objects + [#"{"id": "x"}"#, "7"]).joined(separator: ","))]")
        }
        #expect(wrong?.issues.map(\.path) == ["$[\(count)].id", "$[\(count + 1)]"])
        let broken = #expect(throws: MappingError.self) {
            try Tree.mapping.mapAll("[\((objects + [#"{"id": 1"#]).joined(separator: ","))")
        }
        #expect(broken?.issues.map(\.kind) == [.syntax])
    }
}
