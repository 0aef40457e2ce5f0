import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private final class Ledger: ManagedObject {
    @Stored(.identity) var id = UUID()
    @Stored(.identity) var day = Date()
    @Stored(.identity, .generated) var number = 0
    @Stored(.required) var title = ""
    @Stored(.required) var note: String? = nil
    @Stored var token = UUID()
}

private final class Rating: ManagedObject {
    @Stored(.identity) var value = 0.5
    @Stored(.identity) var votes: [String: Int] = [:]
    @Stored(.identity) var tags: [String] = []
    @Stored(.identity) var name = ""
}

private final class Writer: ManagedObject {
    @ToMany var books: [Volume]
    @ToMany var drafts: [Volume]
    @ToMany(inverse: nil) var favorites: [Volume]
}

private final class Volume: ManagedObject {
    @ToOne var author: Writer?
    @ToOne var editor: Writer?
    @ToMany var readers: [Reader]
    @ToMany var shelves: [Rack]
}

private final class Reader: ManagedObject { @ToMany var volumes: [Volume] }

/// One-sided without a relationship back.
private final class Rack: ManagedObject {
    @Stored var label = ""
}

private final class Tree: ManagedObject {
    @ToOne var parent: Tree?
    @ToMany var children: [Tree]
}

private final class Graph: ManagedObject {
    @ToOne var root: Graph?
    @ToMany(inverse: nil, isOrdered: true) var others: [Graph]
    @ToMany var friends: [Graph]
    @ToMany(inverse: \Graph.friends) var friendsOf: [Graph]
}

private final class Berth: ManagedObject {
    @Stored var letter = ""
    @Stored(.transient) var label = ""
    @ToOne var hall: Rack?
    @ToMany var visitors: [Rack]

    override class var indexes: [ObjectIndex] {
        [.unique("hall", "letter"), .unique("hall", "lettr"), .index("label"), .index("visitors"), .index()]
    }
}

private final class Booth: ManagedObject {
    @Stored var letter = ""
    @ToOne var hall: Rack?
    override class var indexes: [ObjectIndex] { [.unique("hall", "letter")] }
}

private final class Lecture: ManagedObject {
    @ToMany(inverse: \Speaker.lectures) var speakers: [Speaker]
}

private final class Speaker: ManagedObject {
    @ToMany(isOrdered: true) var lectures: [Lecture]
    @ToMany(inverse: \Speaker.students, isOrdered: true) var teachers: [Speaker]
    @ToMany var students: [Speaker]
}

private final class Pupil: ManagedObject {
    @ToMany(inverse: \Pupil.students) var teachers: [Pupil]
    @ToMany(isOrdered: true) var students: [Pupil]
}

@Suite struct `Mistakes in the declaration of a class` {
    private func problems(_ classes: ManagedObject.Type...) -> [String] {
        do {
            _ = try ObjectModel(classes: classes)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `options that do not suit the default or the type are named`() {
        let unassigned =
            "the default differs from object to object, but an identity that was not assigned is stored as NULL. Write "
            + "@Stored(.identity, .generated), so that the default of a new object counts as assigned, or use a "
            + "constant default"
        #expect(
            problems(Ledger.self) == [
                "$.Ledger.attributes.id: \(unassigned)", "$.Ledger.attributes.day: \(unassigned)",
                "$.Ledger.attributes.number: the option .generated needs a default that differs from object to object, "
                    + "such as UUID(); found the same one in two objects",
                "$.Ledger.attributes.title: the option .required has no effect on a property that cannot be nil. Declare "
                    + "the property as optional, or remove the option and check the value in validateForSave()",
            ])
    }

    @Test func `types that cannot identify objects are named by their property`() {
        func problem(_ name: String, _ type: String) -> String {
            "$.Rating.attributes.\(name): an attribute of type \(type) cannot have the option .identity; use an integer, "
                + "a string, a UUID, a decimal, a date or a URL"
        }
        #expect(
            problems(Rating.self) == [
                problem("value", "double"), problem("votes", "json"), problem("tags", "[string]"),
            ])
    }

    @Test func `a to-many relationship that lacks its inverse is named with the relationships that refer back`() {
        func problem(_ name: String) -> String {
            "$.Writer.relationships.\(name): '\(name)' has no inverse, but 'Volume.author' and 'Volume.editor' refer to "
                + "'Writer'. Write @ToMany(inverse: \\Volume.author), or @ToMany(inverse: nil) if they are independent"
        }
        #expect(
            problems(Writer.self, Volume.self, Reader.self, Rack.self) == [
                problem("books"), problem("drafts"),
                "$.Volume.relationships.readers: 'readers' has no inverse, but 'Reader.volumes' refers to 'Volume'. Write "
                    + "@ToMany(inverse: \\Reader.volumes), or @ToMany(inverse: nil) if they are independent",
            ])
    }

    @Test func `a tree without its inverse is named, unless its relationships are independent`() {
        #expect(
            problems(Tree.self) == [
                "$.Tree.relationships.children: 'children' has no inverse, but 'Tree.parent' refers to 'Tree'. Write "
                    + "@ToMany(inverse: \\Tree.parent), or @ToMany(inverse: nil) if they are independent"
            ])
        #expect(problems(Graph.self) == [])
    }

    @Test func `independent relationships are stored separately`() throws {
        let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Graph.self)))
        let (a, b) = (Graph(in: context), Graph(in: context))
        a.others = [b, a]
        b.root = a
        try context.save()
        context.refresh()
        #expect(a.others == [b, a] && b.others == [] && b.root === a && a.root == nil)
    }

    @Test func `an order that a many-to-many relationship cannot store is named`() {
        #expect(
            problems(Lecture.self, Speaker.self) == [
                "$.Speaker.relationships.lectures: the order of 'lectures' cannot be stored: a many-to-many relationship "
                    + "has the order of the side that is declared first, 'Lecture.speakers'. List Speaker before Lecture "
                    + "in ObjectModel, or remove 'isOrdered: true'"
            ])
        #expect(
            problems(Pupil.self) == [
                "$.Pupil.relationships.students: the order of 'students' cannot be stored: a many-to-many relationship "
                    + "has the order of the side that is declared first, 'Pupil.teachers'. Declare 'students' before "
                    + "'teachers', or remove 'isOrdered: true'"
            ])
    }

    @Test func `a many-to-many relationship has the order of the side that is declared first`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Speaker.self, Lecture.self))
        let context = ObjectContext(store)
        let (speaker, lectures) = (Speaker(in: context), (0..<3).map { _ in Lecture(in: context) })
        speaker.lectures = [lectures[2], lectures[0], lectures[1]]
        try context.save()
        context.refresh()
        #expect(speaker.lectures == [lectures[2], lectures[0], lectures[1]])
    }

    @Test func `names in indexes that are not columns are named`() {
        #expect(
            problems(Berth.self, Rack.self) == [
                "$.Berth.indexes: 'lettr' is not a stored attribute or to-one relationship of 'Berth'; did you mean 'letter'?",
                "$.Berth.indexes: 'label' is not a stored attribute or to-one relationship of 'Berth'",
                "$.Berth.indexes: 'visitors' is not a stored attribute or to-one relationship of 'Berth'",
                "$.Berth.indexes: an index needs at least one attribute",
            ])
    }

    @Test func `an index of a relationship and an attribute is unique over both`() throws {
        let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Booth.self, Rack.self)))
        let halls = (0..<2).map { _ in Rack(in: context) }
        func book(_ hall: Int, _ letter: String) throws {
            let booth = Booth(in: context)
            (booth.hall, booth.letter) = (halls[hall], letter)
            try context.save()
        }
        try book(0, "A")
        try book(0, "B")
        try book(1, "A")
        #expect(throws: StoreError.self) { try book(1, "A") }
    }
}
