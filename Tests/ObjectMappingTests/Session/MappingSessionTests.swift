import ObjectMapping
import Synchronization
import Testing

/// A class that counts its instances.
private final class Tracked: Mappable {
    static let living = Atomic(0)

    var id: Int?
    var name = "fresh"
    var note: String? = "fresh"
    var parentID: Int?
    weak var parent: Tracked?
    var children: [Tracked] = []

    init() { Tracked.living.add(1, ordering: .relaxed) }
    deinit { Tracked.living.subtract(1, ordering: .relaxed) }

    static let mapping = Mapping({ Tracked() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("note", \.note)
        Attribute("parent_id", \.parentID)
        Relationship("children", \.children)
        Connection(\.parent, by: \.parentID)
    }
    .identified(by: \.id)
}

private struct Tag: Mappable, Equatable {
    var id = 0
    var name = "fresh"

    static let mapping = Mapping(Tag.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
    .identified(by: \.id)
}

@Suite(.serialized) struct MappingSessionTests {
    @Test func `A repeated identity updates the first object`() throws {
        let session = MappingSession()
        let all = try Tracked.mapping.mapAll(
            #"[{"id": 1, "name": "a", "note": "n"}, {"id": 2}, {"id": "1", "name": "b"}]"#, in: session)
        #expect(all[0] === all[2] && all[0] !== all[1])
        #expect(all[0].name == "b" && all[0].note == "n")
        let again = try Tracked.mapping.map(#"{"note": null, "id": 1}"#, in: session)
        #expect(again === all[0] && again.name == "b" && again.note == nil)
        #expect(session.find(Tracked.self, 1) === again)
        #expect(session.all(Tracked.self).map(\.id) == [1, 2])
        #expect(session.find(Tracked.self, Int?.none) == nil && session.find(Tracked.self, Int?(2)) === all[1])
        #expect(session.find(Tag.self, 1) == nil && session.find(Tracked.self, "1") == nil)
    }

    static let numbers: [[Int]] = [
        Array(-500..<500), (0..<1000).map { $0 << 32 }, (0..<1000).map { $0 &* 0x1234_5678_9ABC_DEF1 },
        [Int.min, Int.max, 0, -1, 1, Int.min + 1],
    ]

    @Test(arguments: numbers) func `Objects are found by any integer type, except those of failed decodes`(
        numbers: [Int]
    )
        throws
    {
        let session = MappingSession()
        func text(_ numbers: [Int]) -> String { numbers.map { #"{"id": \#($0)}"# }.joined(separator: ",") }
        let failed = "[" + text(numbers.map { $0 ^ 2 }) + #", {"id": []}]"#
        #expect(throws: MappingError.self) { try Job.mapping.mapAll(failed, in: session) }
        #expect(session.all(Job.self).isEmpty && session.find(Job.self, numbers[0] ^ 2) == nil)
        let jobs = try Job.mapping.mapAll("[\(text(numbers))]", in: session)
        let again = try Job.mapping.mapAll("[\(text(numbers.reversed()))]", in: session)
        #expect(zip(jobs, again.reversed()).allSatisfy { $0 === $1 } && jobs.map(\.id) == numbers)
        #expect(zip(numbers, jobs).allSatisfy { session.find(Job.self, $0) === $1 })
        #expect(session.all(Job.self).map(\.id) == numbers)
        #expect(session.find(Job.self, 424_242) == nil)
    }

    @Test func `Failed decodes leave no keys`() throws {
        let session = MappingSession()
        let jobs = try Job.mapping.mapAll(#"[{"id": 1}, {"id": 2}]"#, in: session)
        for round in 1...50 {
            let text = (0..<10).map { #"{"id": \#(round * 100 + $0)},"# }.joined()
            #expect(throws: MappingError.self) { try Job.mapping.mapAll("[\(text) 5]", in: session) }
        }
        let again = try Job.mapping.mapAll(#"[{"id": 2}, {"id": 1}, {"id": 100}]"#, in: session)
        #expect(again[0] === jobs[1] && again[1] === jobs[0] && session.all(Job.self).map(\.id) == [1, 2, 100])
    }

    @Test func `Nested objects with equal identities are the same object`() throws {
        let session = MappingSession()
        let all = try Tracked.mapping.mapAll(
            """
            [{"id": 1, "children": [{"id": 2, "name": "two"}, {"id": 3}]}, {"id": 2, "note": "own"},
             {"id": 1, "name": "one", "children": [{"id": 3, "name": "three"}, {"name": "no id"}, {"id": 4}]}]
            """, in: session)
        #expect(all[0] === all[2] && all[0].children.map(\.id) == [3, nil, 4])
        #expect(all[0].children.map(\.name) == ["three", "no id", "fresh"])
        #expect(all[1].name == "two" && all[1].note == "own")
        #expect(session.all(Tracked.self).compactMap(\.id) == [1, 2, 3, 4])
    }

    @Test func `An object that contains itself is one object`() throws {
        let session = MappingSession()
        let outer = try Tracked.mapping.map(
            #"{"id": 1, "name": "outer", "children": [{"id": 1, "name": "inner", "note": "n"}]}"#, in: session)
        // Its properties are set in the order of the text.
        #expect(outer.children.first === outer && outer.name == "inner" && outer.note == "n")
        outer.children = []
    }

    @Test func `The time for repeated nested objects is limited by length times depth`() throws {
        let session = MappingSession()
        let text =
            String(repeating: #"{"id": 1, "children": ["#, count: 200) + #"{"id": 1, "name": "x"}"#
            + String(repeating: "]}", count: 200)
        let object = try Tracked.mapping.map(text, in: session)
        #expect(object.name == "x" && object.children.first === object)
        object.children = []
    }

    @Test func `A model whose identity is absent or null is created each time and not registered`() throws {
        let session = MappingSession()
        let all = try Tracked.mapping.mapAll(#"[{"name": "a"}, {"name": "b"}, {"id": null}, {"id": 0}]"#, in: session)
        #expect(Set(all.map { ObjectIdentifier($0) }).count == 4)
        #expect(session.all(Tracked.self).map(\.id) == [0])
        let tags = try Tag.mapping.mapAll(#"[{"name": "a"}, {"id": null, "name": "b"}, {"id": 0}]"#, in: session)
        #expect(tags.map(\.name) == ["a", "b", "fresh"] && session.all(Tag.self) == [Tag(id: 0)])
    }

    @Test func `The last struct with an identity is found, at the position of the first`() throws {
        let session = MappingSession()
        let tags = try Tag.mapping.mapAll(
            #"[{"id": 1, "name": "a"}, {"id": 2}, {"id": 1}]"#, in: session)
        #expect(tags == [Tag(id: 1, name: "a"), Tag(id: 2), Tag(id: 1)])
        #expect(session.find(Tag.self, 1) == Tag(id: 1))
        var tag = Tag(id: 2, name: "own")
        try Tag.mapping.update(&tag, from: #"{"id": 2}"#, in: session)
        #expect(session.all(Tag.self) == [Tag(id: 1), tag])
    }

    @Test func `Without a session each payload creates its objects again`() throws {
        let mapping = Mapping({ Tracked() }) { Attribute("id", \.id) }.identified(by: \.id)
        let all = try mapping.mapAll(#"[{"id": 1}, {"id": 1}]"#)
        #expect(try all[0] === all[1] && mapping.map(#"{"id": 1}"#) !== all[0])
        let session = MappingSession()
        let known = try mapping.mapAll(#"[{"id": 1}, {"id": 1}]"#, in: session)
        #expect(known[0] === known[1])
    }

    @Test func `Models with different identifying properties are distinguished`() throws {
        let named = Mapping({ Tracked() }) {
            Attribute("name", \.name)
            Attribute("id", \.id)
        }
        .identified(by: \.name)
        let session = MappingSession()
        let first = try Tracked.mapping.map(#"{"id": 1, "name": "a"}"#, in: session)
        let second = try named.map(#"{"id": 1, "name": "a"}"#, in: session)
        #expect(first !== second)
        #expect(session.find(Tracked.self, "a") === second && session.find(Tracked.self, 1) === first)
    }

    @Test func `An updated object is registered by its new identity`() throws {
        let session = MappingSession()
        let child = try Tracked.mapping.map(#"{"id": 2, "parent_id": 1}"#, in: session)
        let parent = Tracked()
        try Tracked.mapping.update(parent, from: #"{"name": "p"}"#, in: session)
        #expect(session.all(Tracked.self).count == 1)
        try Tracked.mapping.update(parent, from: #"{"id": 1}"#, in: session)
        #expect(session.find(Tracked.self, 1) === parent && child.parent === parent)
        let other = Tracked()
        try Tracked.mapping.update(other, from: #"{"id": 1, "name": "o"}"#, in: session)
        #expect(session.find(Tracked.self, 1) === parent && other.name == "o" && parent.name == "p")
    }

    @Test func `An object with a changed identity is registered by the new one only`() throws {
        let session = MappingSession()
        let all = try Tracked.mapping.mapAll(#"[{"id": 1}, {"id": 2}]"#, in: session)
        try Tracked.mapping.update(all[0], from: #"{"id": 5}"#, in: session)
        #expect(session.find(Tracked.self, 1) == nil && session.find(Tracked.self, 5) === all[0])
        #expect(session.all(Tracked.self).map(\.id) == [5, 2])
        #expect(try Tracked.mapping.map(#"{"id": 1}"#, in: session) !== all[0])
        try Tracked.mapping.update(all[0], from: #"{"id": null}"#, in: session)
        #expect(session.find(Tracked.self, 5) == nil)
        #expect(throws: MappingError.self) {
            try Tracked.mapping.update(all[1], from: #"{"id": 6, "name": []}"#, in: session)
        }
        #expect(session.find(Tracked.self, 2) === all[1] && session.find(Tracked.self, 6) == nil)
    }

    @Test func `An update with the identity of another object keeps the own identity`() throws {
        let session = MappingSession()
        let all = try Tracked.mapping.mapAll(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, in: session)
        expectIssues("1:1 $: expected a unique identity, found the identity of another Tracked of the session") {
            try Tracked.mapping.update(all[0], from: #"{"id": 2, "name": "spoilt"}"#, in: session)
        }
        #expect(session.find(Tracked.self, 1) === all[0] && session.find(Tracked.self, 2) === all[1])
        #expect(all[0].id == 1 && all[0].name == "a" && all[1].name == "b")
        try Tracked.mapping.update(all[0], from: #"{"id": 3, "name": "A"}"#, in: session)
        #expect(session.find(Tracked.self, 3) === all[0] && all[0].name == "A")
    }

    @Test func `An object with a partially changed identity is registered by the complete new one`() throws {
        let mapping = Tracked.mapping.identified(by: \.name)
        let session = MappingSession()
        let object = try mapping.map(#"{"id": 1, "name": "a"}"#, in: session)
        try mapping.update(object, from: #"{"name": "b"}"#, in: session)
        #expect(session.find(Tracked.self, 1, "b") === object && session.find(Tracked.self, 1, "a") == nil)
        try mapping.update(object, from: #"{"name": null}"#, in: session)
        #expect(session.all(Tracked.self).isEmpty)
    }

    // MARK: Failure

    @Test(arguments: [
        #"[{"id": 3, "parent_id": 1}, {"id": 1, "name": "spoilt", "note": null}, {"id": 4, "name": []}]"#,
        #"[{"id": 3, "parent_id": 1}, {"id": 1, "name": "spoilt", "children": [{"id": 2, "name": "x"}]}, "#,
        #"[{"id": 3, "name": []}, {"id": 1, "name": "spoilt", "parent_id": 2}]"#,
        #"[{"id": 1, "name": "spoilt", "note": []}, {"id": 1, "parent_id": 3}]"#,
    ]) func `A decode that throws leaves its session unchanged`(text: String) throws {
        let session = MappingSession()
        let known = try Tracked.mapping.mapAll(
            #"[{"id": 1, "name": "one", "note": "n"}, {"id": 2, "parent_id": 3}]"#, in: session)
        #expect(throws: MappingError.self) { try Tracked.mapping.mapAll(GuardedText(text), in: session) }
        #expect(session.all(Tracked.self).map(\.id) == [1, 2])
        #expect(known[0].name == "one" && known[0].note == "n" && known[0].children.isEmpty)
        #expect(known[1].name == "fresh" && known[1].parent == nil && known[0].parent == nil)
        #expect(session.unresolved.map(\.key) == [[3]])
        let late = try Tracked.mapping.map(#"{"id": 3}"#, in: session)
        #expect(known[1].parent === late && session.unresolved.isEmpty)
    }

    @Test func `Issues of a repeated identity are reported once`() {
        expectIssues(
            """
            1:20 $[0].name: expected a string, found an object (rule name -> Tracked.name)
            1:43 $[1].name: expected a string, found an array (rule name -> Tracked.name)
            """
        ) {
            _ = try Tracked.mapping.mapAll(#"[{"id": 1, "name": {}}, {"id": 1, "name": []}]"#, in: MappingSession())
        }
    }

    // MARK: Lifetimes

    @Test func `Objects are released with their session`() throws {
        let before = Tracked.living.load(ordering: .relaxed)
        do {
            let session = MappingSession()
            _ = try Tracked.mapping.mapAll(
                #"[{"id": 1, "parent_id": 2}, {"id": 2, "parent_id": 9}, {"id": 1, "children": [{"id": 3}]}]"#,
                in: session)
            #expect(Tracked.living.load(ordering: .relaxed) - before == 3)
            #expect(session.find(Tracked.self, 1)?.parent === session.find(Tracked.self, 2))
            session.removeAll()
            #expect(Tracked.living.load(ordering: .relaxed) == before)
            #expect(session.all(Tracked.self).isEmpty && session.unresolved.isEmpty)
            _ = try Tracked.mapping.map(#"{"id": 2}"#, in: session)
            _ = try? Tracked.mapping.mapAll(#"[{"id": 5, "parent_id": 6}, {"id": 2, "parent_id": 5}, x"#, in: session)
            #expect(Tracked.living.load(ordering: .relaxed) - before == 1)
        }
        #expect(Tracked.living.load(ordering: .relaxed) == before)
        do { _ = try Tracked.mapping.mapAll(#"[{"id": 1, "parent_id": 2}, {"id": 2}, {"id": 1}]"#) }
        #expect(Tracked.living.load(ordering: .relaxed) == before)
    }
}
