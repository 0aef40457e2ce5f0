import ObjectMapping
import Synchronization
import TestSupport
import Testing

/// A class that counts its objects and the conversions of its identity.
private final class Leaf: Mappable {
    static let made = Atomic(0)
    static let converted = Atomic(0)

    var id = ""
    var name = "fresh"
    var child: Leaf?
    var children: [Leaf] = []

    init() { Leaf.made.add(1, ordering: .relaxed) }

    static let id = Conversion<String>(
        read: { json in
            Leaf.converted.add(1, ordering: .relaxed)
            return json.string.map { "<\($0)>" }
        }, write: { .string($0) })

    static let mapping: Mapping<Leaf> = Mapping({ Leaf() }) {
        Attribute("id", \.id).using(id)
        Attribute("name", \.name)
        Relationship("child", \.child)
        Relationship("children", \.children)
    }
    .identified(by: \.id)
}

/// A class whose identity is outside of its objects.
private final class Branch: Mappable {
    var key = ""
    var tree = 0
    var name = ""
    var branches: [Branch] = []

    static let mapping: Mapping<Branch> = Mapping({ Branch() }) {
        Attribute("name", \.name)
        Attribute(.key, \.key)
        Attribute(.metadata("tree"), \.tree)
        Relationship("branches", \.branches, each: .member)
    }
    .identified(by: \.tree).identified(by: \.key)

    static let inner: Mapping<Branch> = Mapping({ Branch() }) {
        Attribute(.parent("id"), \.tree)
        Attribute("n", \.key)
    }
    .identified(by: \.tree).identified(by: \.key)
}

private struct Tree: Mappable {
    var branches: [Branch] = []
    static let mapping = Mapping(Tree.init) { Relationship("list", \.branches, Branch.inner) }
}

@Suite(.serialized) struct IdentityAheadTests {
    /// The number of created objects and of conversions of an identity.
    private func counting(_ body: () throws -> Void) rethrows -> [Int] {
        let before = [Leaf.made.load(ordering: .relaxed), Leaf.converted.load(ordering: .relaxed)]
        try body()
        return [Leaf.made.load(ordering: .relaxed) - before[0], Leaf.converted.load(ordering: .relaxed) - before[1]]
    }

    @Test(arguments: [
        #"{"id": "a", "name": "n", "child": {"id": "b"}}"#, #"{"name": "n", "child": {"id": "b"}, "id": "a"}"#,
        #"{"child": {"id": "b"}, "\u0069d": "a", "name": "n"}"#,
        #"[{"x": [{}, {"id": 1}], "id": "a", "name": "n"}, {"id": "b"}]"#,
    ]) func `No object is created needlessly, and no identity is converted twice`(text: String) throws {
        let session = MappingSession()
        #expect(try counting { _ = try Leaf.mapping.mapAll(GuardedText(text), in: session) } == [2, 2])
        #expect(session.all(Leaf.self).map(\.id).sorted() == ["<a>", "<b>"])
        #expect(session.find(Leaf.self, "<a>")?.name == "n")
        #expect(try counting { _ = try Leaf.mapping.mapAll(GuardedText(text), in: session) } == [0, 2])
    }

    @Test func `An invalid identity is one issue`() {
        let count = counting {
            expectIssues("1:21 $.id: expected String, found an array that cannot be converted (rule id -> Leaf.id)") {
                _ = try Leaf.mapping.map(#"{"name": "n", "id": []}"#, in: MappingSession())
            }
        }
        #expect(count[1] <= 1)
    }

    @Test func `An identity can be a key, a property of the parent, or metadata`() throws {
        let session = MappingSession()
        let text = #"{"a": {"name": "A", "branches": {"b": {"name": "B"}}}, "b": {"branches": {"a": {}}}}"#
        var options = MappingOptions()
        for tree in [1, 2, 1] {
            options.metadata = ["tree": .integer(tree)]
            let all = try Branch.mapping.mapAll(text, each: .member, in: session, options: options)
            #expect(all.map(\.key) == ["a", "b"] && all.allSatisfy { $0.tree == tree })
            #expect(all[0].branches.first === all[1] && all[1].branches.first === all[0] && all[1].name == "B")
            #expect(session.find(Branch.self, tree, "a") === all[0])
            for branch in all { branch.branches = [] }
        }
        #expect(session.all(Branch.self).count == 4)
        let trees = try Tree.mapping.mapAll(
            #"[{"id": 1, "list": [{"n": "a"}, {"n": "c"}]}, {"list": [{"n": "a"}], "id": 7}]"#, in: session)
        #expect(trees.map { $0.branches.map(\.tree) } == [[1, 1], [7]])
        #expect(session.find(Branch.self, 7, "a") === trees[1].branches[0])
    }

    @Test func `An invalid identity outside of an object is an issue at its position`() {
        expectIssues("1:8 $[0].id: expected an integer, found an array (rule @parent.id -> Branch.tree)") {
            _ = try Tree.mapping.mapAll(#"[{"id":[], "list": [{"n": "a"}]}]"#, in: MappingSession())
        }
    }

    @Test(arguments: [
        #"{"a": [{"b": 1}, "id": "x"}"#, #"{"name": "n", "id": "#, #"{"a": {"b": "#, #"{"id": "a", "b": [}"#,
    ])
    func `Broken texts have the same errors as without a session`(text: String) {
        let session = MappingSession()
        #expect(issues { _ = try Leaf.mapping.map(GuardedText(text), in: session) } == issues { _ = try JSON(text) })
        #expect(session.all(Leaf.self).isEmpty)
    }

    @Test func `Identities are found in the last bytes of a window`() throws {
        let leaves = (0..<1500).map {
            #"{"x": [{"y": "\#($0)"}], "child": {"name": "c", "id": "c\#($0)"}, "id": "\#($0)"}"#
        }
        let text = "[" + leaves.joined(separator: ",\n ") + "]"
        for padding in 0..<8 {
            let session = MappingSession()
            let all = try Leaf.mapping.mapAll(text + String(repeating: " ", count: padding * 11), in: session)
            #expect(all.map(\.id) == (0..<1500).map { "<\($0)>" } && all.allSatisfy { $0.child?.name == "c" })
            #expect(session.all(Leaf.self).count == 3000)
        }
    }

    // MARK: Effort

    /// Returns the shortest of several times, which other processes disturb least.
    private static func time(_ body: () throws -> Void) rethrows -> Duration {
        try (0..<5).map { _ in try ContinuousClock().measure(body) }.min() ?? .zero
    }

    /// Expects that mapping a payload takes not much longer than parsing it.
    private static func expectOneSearch(of payload: String, objects: Int, slack: Duration) throws {
        let parsing = try time { _ = try JSON(payload) }
        let mapping = try time {
            let session = MappingSession()
            _ = try Leaf.mapping.map(payload, in: session)
            #expect(session.all(Leaf.self).count == objects)
        }
        #expect(isSanitized || mapping < parsing * 20 + slack)
    }

    /// Nested objects whose identity is last, after a text.
    private static func nested(_ depth: Int, padding: Int) -> String {
        let text = String(repeating: "x", count: padding)
        var payload = ""
        for level in 0..<depth { payload += #"{"t\#(level)": "\#(text)", "child": "# }
        payload += "null"
        for level in 0..<depth { payload += #", "id": "\#(level)"}"# }
        return payload
    }

    @Test func `Deep objects whose identity is last are searched once`() throws {
        // Searching each of them would be 100 MB of text.
        let payload = Self.nested(500, padding: 800)
        try Self.expectOneSearch(of: payload, objects: 500, slack: .milliseconds(50))
    }

    @Test func `Objects whose identity follows 10,000 members are searched once`() throws {
        let members = (0..<10_000).map { #""m\#($0)": {"a": [\#($0)]}, "# }.joined()
        let inner = #"{\#(members)"id": "b"}"#
        let payload = #"{"a": {\#(members)"z": 1}, "children": [\#(inner), \#(inner)], \#(members)"id": "a"}"#
        try Self.expectOneSearch(of: payload, objects: 2, slack: .milliseconds(100))
    }
}
