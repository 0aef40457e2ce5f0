import ObjectMapping
import Testing

@testable import ObjectStore

private final class Crew: ManagedObject, Persistable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @ToMany(inverse: \Sailor.crew, isOrdered: true) var sailors: [Sailor]
}

private final class Sailor: ManagedObject, Persistable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @ToOne var crew: Crew?

    override func willSave() { name += "!" }
}

/// What `persist()` leaves to the save of others.
@Suite struct PersistedAloneTests {
    private func makeContext() throws -> ObjectContext {
        try ObjectContext(ManagedObjectStore(inMemory: ObjectModel(Crew.self, Sailor.self)))
    }

    @Test(arguments: [true, false])
    func `persisting an owner keeps the unsaved changes of the members of an ordered list`(isNew: Bool) async throws {
        let context = try makeContext()
        let sailor = Sailor(in: context)
        sailor.number = 1
        try await sailor.persist()
        let crew = Crew(in: context)
        crew.number = 1
        if !isNew { try await crew.persist() }
        sailor.name = "edited"
        crew.name = "c"
        crew.sailors = [sailor]
        try await crew.persist()
        #expect(sailor.name == "edited")
        #expect(sailor.crew === crew)
        #expect(crew.sailors == [sailor])
        #expect(sailor.persistenceState == .changed)
        try await context.save()
        let other = ObjectContext(context.store)
        let stored = try #require(try await other.fetch(Sailor.all).first)
        #expect(stored.name == "edited!")
        #expect(stored.crew?.sailors == [stored])
        #expect(stored.crew?.name == "c")
    }

    @Test func `persisting an object does not call hooks of other changed objects`() async throws {
        let context = try makeContext()
        let (first, second) = (Sailor(in: context), Sailor(in: context))
        (first.number, second.number) = (1, 2)
        try await first.persist()
        #expect(first.name == "!")
        #expect(second.name == "")
        try await second.persist()
        #expect([first.name, second.name] == ["!", "!"])
    }
}
