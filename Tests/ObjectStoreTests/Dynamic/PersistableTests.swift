import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Visitor: ManagedObject, Persistable {
    @Stored(.identity, .generated) var oid = UUID().uuidString
    @Stored var name = ""
    @Stored(.unique) var mail: String? = nil
    @ToOne var club: Society?
    @ToOne var locker: Locker?
    @ToMany(inverse: \Award.members) var medals: [Award]
}

private final class Society: ManagedObject, Persistable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @ToMany(inverse: \Visitor.club, deleteRule: .deny) var members: [Visitor]
}

private final class Award: ManagedObject, Persistable {
    @Stored var title = ""
    @ToMany var members: [Visitor]
}

private final class Locker: ManagedObject, Persistable {
    @Stored(.identity) var number = 0
    @ToOne(inverse: \Visitor.locker) var owner: Visitor?
}

private final class Seat: ManagedObject, Persistable {
    @Stored(.identity) var line = ""
    @Stored(.identity) var place = 0
}

/// A class of a user with statements by hand.
private final class Pilot: Persistable {
    let oid: String
    private(set) var name: String
    private(set) var persistenceState: PersistenceState
    private let store: ManagedObjectStore
    var fails = false

    init(_ oid: String, _ name: String, in store: ManagedObjectStore, state: PersistenceState = .new) {
        (self.oid, self.name, self.store, persistenceState) = (oid, name, store, state)
    }

    func setName(_ name: String) throws {
        try persistenceState.noteAssignment(isChange: name != self.name)
        self.name = name
    }

    func setDeleted() { persistenceState.noteDeletion() }

    static func find(oid: String, in store: ManagedObjectStore) throws -> Pilot? {
        try store.rows(sql: #"SELECT "name" FROM "Pilot" WHERE "oid" = ?"#, arguments: [.text(oid)]).first.map {
            Pilot(oid, $0["name"]?.text ?? "", in: store, state: .existing)
        }
    }

    func insert() throws {
        try run(.insert, #"INSERT INTO "Pilot"("name", "oid") VALUES(?, ?)"#, [.text(name), .text(oid)])
    }

    func update() throws {
        if persistenceState == .existing { return }
        try run(.update, #"UPDATE "Pilot" SET "name" = ? WHERE "oid" = ?"#, [.text(name), .text(oid)])
    }

    func delete() throws { try run(.delete, #"DELETE FROM "Pilot" WHERE "oid" = ?"#, [.text(oid)]) }

    private func run(_ operation: PersistenceState.Operation, _ sql: String, _ arguments: [StoredValue]) throws {
        _ = try persistenceState.after(operation)
        let count = try store.write(sql: fails ? "nonsense" : sql, arguments: arguments)
        try persistenceState.finish(operation, changedRows: count)
    }
}

@Suite struct PersistableTests {
    private let store: ManagedObjectStore
    private let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(
            inMemory: ObjectModel(Visitor.self, Society.self, Award.self, Seat.self, Locker.self))
        context = ObjectContext(store)
    }

    private func expect(
        _ kind: StoreError.Kind, at location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        var error: StoreError?
        do { try await body() } catch let thrown { error = thrown as? StoreError }
        #expect(error?.kind == kind, "\(String(describing: error))", sourceLocation: location)
    }

    /// An object in a state.
    private func member(_ state: PersistenceState) async throws -> Visitor {
        let member = Visitor(in: context)
        member.name = "Roy"
        if state != .new { try await member.insert() }
        switch state {
        case .new, .existing: break
        case .changed: member.name = "Ray"
        case .deleted: context.delete(member)
        case .detached: try await member.delete()
        }
        #expect(member.persistenceState == state)
        return member
    }

    private func rows() throws -> [String] {
        try store.rows(sql: #"SELECT "name" FROM "Visitor""#).compactMap { $0["name"]?.text }
    }

    // MARK: The table of states

    @Test func `setting a field`() async throws {
        for (state, next) in [
            (PersistenceState.new, PersistenceState.new), (.existing, .changed), (.changed, .changed),
        ] {
            let member = try await member(state)
            member.name = "Rob"
            #expect(member.persistenceState == next)
        }
        let same = try await member(.existing)
        same.name = "Roy"
        #expect(same.persistenceState == .existing)
        let back = try await member(.changed)
        back.name = "Roy"
        #expect(back.persistenceState == .existing)
        for state in [PersistenceState.deleted, .detached] {
            let member = try await member(state)
            await expect(.missingObject) { try member.set("x", for: "name") }
            #expect(member.persistenceState == state)
        }
    }

    @Test func `marking as deleted`() async throws {
        for (state, next) in [
            (PersistenceState.new, PersistenceState.detached), (.existing, .deleted), (.changed, .deleted),
            (.deleted, .deleted), (.detached, .detached),
        ] {
            let member = try await member(state)
            context.delete(member)
            #expect(member.persistenceState == next)
        }
    }

    @Test func `persist follows the state`() async throws {
        let log = StatementLog(store)
        for (state, next, names) in [
            (PersistenceState.new, PersistenceState.existing, ["Roy"]), (.existing, .existing, ["Roy"]),
            (.changed, .existing, ["Ray"]), (.deleted, .detached, []), (.detached, .detached, []),
        ] {
            let member = try await member(state)
            _ = log.take()
            try await member.persist()
            #expect(member.persistenceState == next)
            let written = log.take().filter { !$0.hasPrefix("SELECT") && !$0.hasPrefix("PRAGMA") }
            #expect(
                written.contains { $0.hasPrefix("COMMIT") } == (state != .existing && state != .detached), "\(written)")
            #expect(try rows() == names)
            if next == .existing { try await member.delete() }
        }
    }

    @Test(arguments: PersistenceState.allCases, PersistenceState.Operation.allCases)
    func `operations follow the state`(_ state: PersistenceState, _ operation: PersistenceState.Operation) async throws
    {
        let member = try await member(state)
        let oid = member.oid
        let before = try rows()
        func run() async throws {
            switch operation {
            case .insert: try await member.insert()
            case .update: try await member.update()
            case .delete: try await member.delete()
            }
        }
        let expected: [PersistenceState: [PersistenceState.Operation: PersistenceState]] = [
            .new: [.insert: .existing], .existing: [.update: .existing, .delete: .detached],
            .changed: [.update: .existing, .delete: .detached], .deleted: [.delete: .detached],
            .detached: [.insert: .existing],
        ]
        if let next = expected[state]?[operation] {
            try await run()
            #expect(member.persistenceState == next)
            #expect(try rows() == (next == .detached ? [] : [member.name]))
        } else {
            await expect(operation == .insert && state != .deleted ? .constraint : .missingObject) { try await run() }
            #expect(member.persistenceState == state)
            #expect(try rows() == before)
        }
        #expect(member.oid == oid)
        let found = try await Visitor.find(oid: oid, in: context)
        #expect((found === member) == [.existing, .changed].contains(member.persistenceState) || state == .new)
    }

    // MARK: Rows

    @Test func `only this object is written, in one transaction`() async throws {
        let (first, second) = (try await member(.new), try await member(.new))
        let changed = try await member(.changed)
        try await first.persist()
        #expect(try rows() == ["Roy", "Roy"])
        #expect(second.persistenceState == .new && changed.persistenceState == .changed)
        try await changed.persist()
        #expect(second.persistenceState == .new && context.insertedObjects == [second])
        context.delete(first)
        try await second.persist()
        #expect(first.persistenceState == .deleted)
        #expect(try rows().count == 3)
        try await context.save()
        #expect(try rows().count == 2)
    }

    @Test func `an object refers to objects that are saved`() async throws {
        let member = try await member(.new)
        let club = Society(in: context)
        (club.number, member.club) = (4, club)
        let medal = Award(in: context)
        member.medals = [medal]
        await expect(.invalidObjects) { try await member.persist() }
        #expect(try rows().isEmpty && member.persistenceState == .new)
        try await club.persist()
        // The link is written with the second of the two.
        try await medal.persist()
        #expect(medal.persistenceState == .existing && medal.members == [member])
        try await member.persist()
        let other = ObjectContext(store)
        let found = try #require(try await Visitor.find(oid: member.oid, in: other))
        #expect(found.club?.number == 4 && found.medals.count == 1)
        // A rule that prevents the deletion leaves the state.
        func expectStates() {
            let states = [member.persistenceState, club.persistenceState, medal.persistenceState]
            #expect(states == [.existing, .existing, .existing])
        }
        expectStates()
        await expect(.invalidObjects) { try await club.delete() }
        #expect(club.persistenceState == .existing && member.club === club)
        try await member.delete()
        try await club.delete()
        #expect(try store.count(of: "Society") == 0)
    }

    @Test func `a one-to-one relationship is saved with both objects`() async throws {
        let member = try await member(.existing)
        let locker = Locker(in: context)
        locker.number = 3
        try await locker.persist()
        member.locker = locker
        await expect(.invalidObjects) { try await member.persist() }
        await expect(.invalidObjects) { try await locker.persist() }
        try await context.save()
        #expect(member.persistenceState == .existing && locker.owner === member)
        member.name = "Ray"
        try await member.persist()
        #expect(try rows() == ["Ray"])
    }

    @Test func `a row that exists, or that others deleted, is an error`() async throws {
        let member = try await member(.existing)
        let other = ObjectContext(store)
        let double = Visitor(in: other)
        (double.oid, double.name) = (member.oid, "Bob")
        await expect(.constraint) { try await double.persist() }
        #expect(double.persistenceState == .new)
        #expect(try rows() == ["Roy"])

        other.rollback()
        let changed = try #require(try await Visitor.find(oid: member.oid, in: other))
        changed.name = "Ray"
        try await member.delete()
        await expect(.missingObject) { try await changed.update() }
        #expect(changed.persistenceState == .changed)
    }

    enum Deletion: CaseIterable { case save, statement, bulkChange }

    @Test(arguments: Deletion.allCases, [PersistenceState.existing, .changed, .deleted])
    func `deleting a row that others deleted is an error`(_ deletion: Deletion, _ state: PersistenceState) async throws
    {
        let member = try await member(state)
        let other = ObjectContext(store)
        switch deletion {
        case .save: try await #require(Visitor.find(oid: member.oid, in: other)).delete()
        case .statement: try store.write(sql: "DELETE FROM Visitor")
        case .bulkChange: _ = try await other.delete(Visitor.all)
        }
        await expect(.missingObject) { try await member.delete() }
        #expect(member.persistenceState == .detached)
        await expect(.missingObject) { try await member.delete() }
        try await member.persist()
        #expect(try rows().isEmpty)
        try await member.insert()
        #expect(try rows().count == 1 && member.persistenceState == .existing)
    }

    @Test func `a failing statement leaves the state`() async throws {
        let (first, second) = (try await member(.existing), try await member(.existing))
        first.mail = "a"
        try await first.persist()
        second.mail = "a"
        await expect(.constraint) { try await second.persist() }
        #expect(second.persistenceState == .changed)
        let third = try await member(.detached)
        third.name = "x"
        third.mail = "a"
        await expect(.constraint) { try await third.insert() }
        #expect(third.persistenceState == .detached)
    }

    @Test func `a failing deletion leaves the state`() async throws {
        let (member, club, medal) = (try await member(.existing), Society(in: context), Award(in: context))
        (club.number, medal.title, member.club, member.medals) = (1, "gold", club, [medal])
        try await context.save()
        func expectUnchanged() {
            let states = [member.persistenceState, club.persistenceState, medal.persistenceState]
            #expect(states == [.existing, .existing, .existing])
            #expect(member.club === club && club.members == [member])
            #expect(member.medals == [medal] && medal.members == [member])
        }
        await expect(.invalidObjects) { try await club.delete() }
        expectUnchanged()
        try store.write { (connection) throws(StoreError) in
            try connection.database.execute(
                #"CREATE TRIGGER "no" BEFORE DELETE ON "Visitor" BEGIN SELECT raise(ABORT, 'no'); END"#)
        }
        await expect(.constraint) { try await member.delete() }
        expectUnchanged()
    }

    @Test func `an object without a context is new, and cannot be persisted`() async {
        let member = Visitor()
        #expect(member.persistenceState == .new)
        await expect(.misuse) { try await member.persist() }
    }

    // MARK: Finders

    @Test func `objects are found by attributes`() async throws {
        let (roy, new) = (try await member(.existing), try await member(.new))
        let changed = try await member(.changed)
        #expect(try await Visitor.find(by: \.name, "Roy", in: context) == [roy])
        #expect(try await Visitor.find(by: "name", "Ray", in: context) == [changed])
        #expect(try await Visitor.find(by: \.name, "nobody", in: context).isEmpty)
        #expect(new.persistenceState == .new)
        // A finder keeps the changes of an object.
        #expect(try await Visitor.find(oid: changed.oid, in: context)?.name == "Ray")
        #expect(changed.persistenceState == .changed)
        await expect(.unknownProperty) { _ = try await Visitor.find(by: "nmae", "x", in: context) }
        await expect(.invalidValue) { _ = try await Visitor.find(by: "name", 1, in: context) }
    }

    @Test func `identities of every kind are oids`() async throws {
        let club = Society(in: context)
        club.number = -12
        try await club.persist()
        #expect(club.oid == "-12")
        #expect(try await Society.find(oid: "-12", in: context) === club)
        #expect(try await Society.find(oid: "13", in: context) == nil)
        let seat = Seat(in: context)
        (seat.line, seat.place) = ("B", 4)
        try await seat.persist()
        #expect(seat.oid == #"["B","4"]"#)
        #expect(try await Seat.find(oid: seat.oid, in: context) === seat)
        for oid in ["", "twelve", "+12", "012", "1.0", " 12", "99999999999999999999"] {
            await expect(.invalidValue) { _ = try await Society.find(oid: oid, in: context) }
        }
        for oid in ["", "B", #"["B"]"#, #"["B",4]"#, #"["B","x"]"#] {
            await expect(.invalidValue) { _ = try await Seat.find(oid: oid, in: context) }
        }
        await expect(.invalidValue) { _ = try await Visitor.find(oid: "", in: context) }
        await expect(.invalidValue) { _ = try await Award.find(oid: "x", in: context) }
    }

    @Test func `an ID is the oid of an object without identity`() async throws {
        let folder = try TemporaryDirectory()
        let store = try ManagedObjectStore(
            at: folder.file("a.sqlite"), model: ObjectModel(Visitor.self, Society.self, Award.self, Locker.self))
        let context = ObjectContext(store)
        let medal = Award(in: context)
        try await medal.persist()
        #expect(try medal.oid == medal.managed.id.text)
        #expect(try await Award.find(oid: medal.oid, in: context) === medal)
        let gone = medal.oid
        try await medal.delete()
        #expect(try await Award.find(oid: gone, in: context) == nil)
    }

    // MARK: A class of a user

    @Test func `a class with statements by hand gets persist`() async throws {
        let model = try ObjectModel(entities: [
            EntityDescription(
                "Pilot", identifiedBy: ["oid"],
                attributes: [
                    AttributeDescription("oid", AttributeType(.string)),
                    AttributeDescription("name", AttributeType(.string)),
                ])
        ])
        let store = try ManagedObjectStore(inMemory: model)
        let pilot = Pilot("p1", "Amelia", in: store)
        try await pilot.persist()
        #expect(pilot.persistenceState == .existing)
        let found = try #require(try Pilot.find(oid: "p1", in: store))
        try found.setName("Amelia")
        #expect(found.persistenceState == .existing)
        try found.setName("Mia")
        found.fails = true
        await expect(.misuse) { try await found.persist() }
        #expect(found.persistenceState == .changed)
        found.fails = false
        try await found.persist()
        #expect(try Pilot.find(oid: "p1", in: store)?.name == "Mia")
        await expect(.constraint) { try found.insert() }
        try pilot.delete()
        try found.setName("x")
        await expect(.missingObject) { try await found.persist() }
        #expect(found.persistenceState == .detached)
        await expect(.missingObject) { try pilot.setName("x") }
        try pilot.insert()
        pilot.setDeleted()
        await expect(.missingObject) { try pilot.update() }
        try await pilot.persist()
        try await pilot.persist()
        #expect(pilot.persistenceState == .detached)
        #expect(try store.count(of: "Pilot") == 0)
    }
}
