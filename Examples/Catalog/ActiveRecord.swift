import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let activeRecord = Example(
    "active-record", group: "Objects",
    "Objects that find, insert, update and delete their own rows: a managed class, and one with SQL by hand"
) { story in
    story.say("A managed class is persistable by naming the protocol:")
    story.showCode("managed")
    let store = try ManagedObjectStore(inMemory: ObjectModel(Contact.self))
    for line in try await followContact(in: ObjectContext(store)) { story.show(line) }

    story.say(
        """
        A class of your own implements a finder and three statements. Its state enforces the rules, and `persist()` is \
        given:
        """)
    story.showCode("person")
    let database = try ManagedObjectStore(inMemory: personModel())
    for line in try await followPerson(in: database) { story.show(line) }
}

// snippet.managed
private final class Contact: ManagedObject, Persistable {
    @Stored(.identity, .generated) var oid = UUID().uuidString
    @Stored var name = ""
    @Stored var town = ""
}

private func followContact(in context: ObjectContext) async throws -> [String] {
    var lines: [String] = []
    let roy = Contact(in: context)
    (roy.name, roy.town) = ("Roy", "London")
    lines.append("created: \(roy.persistenceState)")
    try await roy.persist()
    lines.append("persisted: \(roy.persistenceState)")

    let moss = Contact(in: context)
    (moss.name, moss.town) = ("Moss", "London")
    roy.town = "Dublin"
    lines.append("changed: \(roy.persistenceState)")
    try await roy.persist()
    lines.append("persisted alone: \(roy.persistenceState), the other one is \(moss.persistenceState)")

    let found = try await Contact.find(by: \.town, "Dublin", in: context)
    lines.append("found in Dublin: \(found.map(\.name))")
    try await roy.delete()
    let gone = try await Contact.find(oid: roy.oid, in: context)
    lines.append("deleted: \(roy.persistenceState), \(gone == nil ? "not found" : "found")")
    try await roy.insert()
    lines.append("inserted again: \(roy.persistenceState)")
    return lines
}
// snippet.end

// snippet.person
private final class PersonRecord: Persistable {
    let oid: String
    private(set) var firstName: String
    private(set) var lastName: String
    private(set) var persistenceState = PersistenceState.new
    private let store: ManagedObjectStore

    init(oid: String = UUID().uuidString, _ firstName: String, _ lastName: String, in store: ManagedObjectStore) {
        (self.oid, self.firstName, self.lastName, self.store) = (oid, firstName, lastName, store)
    }

    func setLastName(_ name: String) throws {
        try persistenceState.noteAssignment(isChange: name != lastName)
        lastName = name
    }

    func setAsRetired() { persistenceState.noteDeletion() }

    static func find(oid: String, in store: ManagedObjectStore) throws -> PersonRecord? {
        try people(where: "oid = ?", oid, in: store).first
    }

    static func find(lastName: String, in store: ManagedObjectStore) throws -> [PersonRecord] {
        try people(where: "lastName = ?", lastName, in: store)
    }

    private static func people(
        where condition: String, _ value: String, in store: ManagedObjectStore
    ) throws -> [PersonRecord] {
        let sql = "SELECT oid, firstName, lastName FROM Person WHERE \(condition)"
        return try store.rows(sql: sql, arguments: [.text(value)]).map { row in
            let texts = row.values.map { $0.text ?? "" }
            let person = PersonRecord(oid: texts[0], texts[1], texts[2], in: store)
            person.persistenceState = .existing
            return person
        }
    }

    func insert() throws {
        try run(.insert, "INSERT INTO Person(oid, firstName, lastName) VALUES(?, ?, ?)", [oid, firstName, lastName])
    }

    func update() throws {
        try run(.update, "UPDATE Person SET firstName = ?, lastName = ? WHERE oid = ?", [firstName, lastName, oid])
    }

    func delete() throws { try run(.delete, "DELETE FROM Person WHERE oid = ?", [oid]) }

    private func run(_ operation: PersistenceState.Operation, _ sql: String, _ values: [String]) throws {
        _ = try persistenceState.after(operation)
        let count = try store.write(sql: sql, arguments: values.map { .text($0) })
        try persistenceState.finish(operation, changedRows: count)
    }
}

private func followPerson(in store: ManagedObjectStore) async throws -> [String] {
    var lines: [String] = []
    let ann = PersonRecord("Ann", "Brandt", in: store)
    try await ann.persist()
    try ann.setLastName("Rivera")
    try await ann.persist()
    guard let found = try PersonRecord.find(lastName: "Rivera", in: store).first else { return lines }
    lines.append("found: \(found.firstName) \(found.lastName), \(found.persistenceState)")
    do { try found.insert() } catch { lines.append("\(error)") }
    found.setAsRetired()
    try await found.persist()
    lines.append("retired: \(found.persistenceState), \(try store.count(of: "Person")) left")
    // The other object of the row does not know it.
    try ann.setLastName("Brandt")
    do { try await ann.persist() } catch { lines.append("\(error)") }
    return lines
}
// snippet.end

private func personModel() throws -> ObjectModel {
    let names = ["oid", "firstName", "lastName"]
    return try ObjectModel(entities: [
        EntityDescription(
            "Person", identifiedBy: ["oid"], attributes: names.map { AttributeDescription($0, AttributeType(.string)) })
    ])
}
