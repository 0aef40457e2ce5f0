import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// A class whose table has a name that SQL must quote.
final class Quoted: ManagedObject {
    override class var entityName: String { #"it's "quoted"; [x]"# }
    @Stored(.identity) var key = ""
    @ToOne var parent: Quoted?
    @ToMany(inverse: \Quoted.parent) var children: [Quoted]
    @ToMany(isOrdered: true) var others: [Quoted]
}

/// Objects that are misused, and values that are hard to store.
@Suite struct MisusedObjectTests {
    let store: ManagedObjectStore
    let context: ObjectContext
    let ann: Employee

    init() throws {
        store = try Company.store()
        context = ObjectContext(store)
        ann = context.employee(1, "Ann")
        try context.save()
    }

    @Test func `a deleted object keeps its values and is not saved again`() throws {
        let (note, id) = (Note(in: context), ann.managed.id)
        note.author = ann
        try context.save()
        context.delete(ann)
        #expect(ann.managed.state == .deleted && ann.name == "Ann" && note.author == nil)
        ann.name = "Bea"
        try context.save()
        #expect(
            ann.managed.state == .deleted && ann.managed.id.description == "Employee/detached"
                && ann.managed.context == nil)
        ann.name = "Cem"
        #expect(ann.name == "Cem" && ann.notes.isEmpty && ann.department == nil && !context.hasChanges)
        let error = #expect(throws: StoreError.self) { try context.object(with: id) }
        #expect(error?.kind == .missingObject && error?.message == "the object Employee/1 is not in the store")
        context.delete(ann)
        try context.save()
        #expect(try context.count(Employee.all) == 0)
        context.insert(ann)
        try context.save()
        #expect(try context.find(Employee.self, 1) === ann && ann.managed.id.description == "Employee/2")
        context.refresh()
        #expect(ann.name == "Cem")
    }

    @Test func `a relationship to a deleted object is refused by the save`() throws {
        let note = Note(in: context)
        try context.save()
        context.delete(ann)
        note.author = ann
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.description == """
                cannot save 1 invalid object, nothing was saved
                - Note.author of Note/1: the relationship was set to an object that is deleted
                """)
        note.author = nil
        try context.save()
    }

    @Test func `an object that left its context by a rollback can be inserted again`() throws {
        let bob = context.employee(2, "Bob")
        context.rollback()
        bob.name = "Bobby"
        #expect(bob.managed.state == .detached && !context.hasChanges)
        try context.save()
        #expect(try context.count(Employee.all) == 1)
        context.insert(bob)
        try context.save()
        #expect(try context.fetch(Employee.where { $0.number == 2 }) == [bob])
        #expect(try context.value("SELECT name FROM Employee WHERE number = 2")?.text == "Bobby")
    }

    @Test func `reset releases all objects, which keep their values`() throws {
        let bob = context.employee(2, "Bob")
        ann.name = "Anna"
        context.reset()
        #expect(ann.name == "Anna" && bob.name == "Bob" && !context.hasChanges && context.registeredObjects.isEmpty)
        #expect(ann.managed.context == nil && ann.managed.id.description == "Employee/detached")
        #expect(try context.fetch(Employee.all).map(\.name) == ["Ann"])
    }

    @Test func `a list with an object of another context is refused by the save`() throws {
        let other = ObjectContext(store)
        let friend = other.employee(2, "Bob")
        ann.friends = [friend, ann]
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.description == """
                cannot save 1 invalid object, nothing was saved
                - Employee.friends of Employee/1: the object belongs to another context; fetch it in this one by its ID
                """)
        context.rollback()
        #expect(ann.friends.isEmpty)
        for deletes in [true, false] {
            if deletes { context.delete(friend) } else { context.insert(friend) }
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(
                error?.description
                    == "\(friend.managed.id): "
                    + "the object belongs to another context; fetch it in this one by its ID")
            context.rollback()
        }
        try other.save()
        #expect(try context.count(Employee.all) == 2)
    }

    @Test(arguments: ["rank": "Rank", "formerRank": "Rank", "address": "Address", "mail": "string"])
    func `a value that cannot be read is reported with the type of the property`(_ name: String, _ type: String) throws
    {
        try context.write(sql: "UPDATE Employee SET \(name) = x'00'")
        let error = try ObjectContext(store).fetch(Employee.all)[0].managed.error
        #expect(
            error?.message == "row 1 of 'Employee': the value of the column '\(name)' cannot be read as \(type)")
    }

    @Test func `every save of an object that could not be read throws, and nothing is overwritten with defaults`()
        throws
    {
        context.refresh(ann)
        try store.write { (connection) throws(StoreError) in
            try connection.run("UPDATE Employee SET share = 'many', mail = 'ann@example.com'")
        }
        #expect(ann.share == 0.5 && ann.name == "Ann" && ann.mail == "ann@example.com")
        ann.name = "Bea"
        for _ in 1...2 {
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(
                error?.message
                    == "row 1 of 'Employee': the value of the column 'share' cannot be read as double"
            )
        }
        let row = try store.rows(sql: "SELECT name, share, mail FROM Employee")
        #expect(row.first?.values == ["Ann", "many", "ann@example.com"])
        try store.write(sql: "UPDATE Employee SET share = 0.1")
        context.refresh(ann)
        #expect(ann.name == "Ann" && ann.share == 0.1)
        ann.name = "Bea"
        try context.save()
    }

    // MARK: Values and names

    @Test(arguments: [
        String(repeating: "x", count: 1 << 20), "'; DROP TABLE Employee; --", "\"", "nul\0inside\0", "\0", "%_[*?",
        "e\u{301}", "\u{FFFD}\u{10FFFF}",
    ])
    func `texts of any content and size are saved, found and read`(_ text: String) throws {
        let bob = context.employee(2, text)
        (bob.mail, bob.nicknames, bob.address.street) = (text, [text, ""], text)
        try context.save()
        let other = ObjectContext(store)
        let read = try #require(try other.fetch(Employee.where { $0.name == text }).first)
        for found in [read.name, read.mail ?? "", read.nicknames[0], read.address.street] {
            #expect(found.utf8.elementsEqual(text.utf8))
        }
        #expect(try other.fetch(Employee.where { $0.mail.hasPrefix(text) && $0.name.contains(text) }) == [read])
        #expect(try other.ids(Employee.where { $0.name.isIn([text]) }).count == 1)
    }

    @Test func `an entity may have any name`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Quoted.self))
        let context = ObjectContext(store)
        let (a, b) = (Quoted(in: context), Quoted(in: context))
        (a.key, b.key) = ("a", "b")
        a.children = [b]
        a.others = [b, a]
        try context.save()
        context.refresh()
        #expect(a.children == [b] && a.others == [b, a])
        #expect(try context.fetch(Quoted.where { $0.parent.key == "a" && $0.children.count == 0 }) == [b])
        #expect(try context.update(Quoted.where { $0.key == "b" }) { $0.set(\.parent, to: nil) } == 1)
        #expect(a.children.isEmpty)
        try context.write(sql: #"UPDATE "it's ""quoted""; [x]" SET "parent" = 2 WHERE "_id" = 1"#)
        #expect(a.parent === b)
        context.delete(b)
        try context.save()
        #expect(try context.fetch(Quoted.all) == [a] && store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
    }
}
