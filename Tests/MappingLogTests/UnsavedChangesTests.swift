import ObjectStore
import Testing

private final class Trinket: ManagedObject {
    @Stored var name = ""
    @ToMany(inverse: \Bauble.trinket) var baubles: [Bauble]
}

private final class Bauble: ManagedObject {
    @ToOne var trinket: Trinket?
}

/// What is logged for changes that are lost with their context.
extension LogMessageTests {
    /// Calls a closure and returns the messages about its classes.
    private func logging(_ body: () async throws -> Void) async throws -> [String] {
        let log = Log(from: .warning)
        defer { LogMessage.setHandler(nil) }
        try await body()
        return log.lines(with: "[ObjectStore] warning").filter { $0.contains("Trinket") || $0.contains("Bauble") }
    }

    @Test func `A context that ends with changes is logged once, with counts and without values`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Trinket.self, Bauble.self))
        let lines = try await logging {
            let context = ObjectContext(store)
            let saved = [Trinket(in: context), Trinket(in: context), Trinket(in: context)]
            try context.save()
            (saved[0].name, saved[1].name) = ("secret", "")
            context.delete(saved[2])
            for _ in 1...2 { Bauble(in: context).trinket = saved[1] }
        }
        #expect(
            lines == [
                "[ObjectStore] warning: a context ended with unsaved changes, which are lost: Trinket (1 changed, 1 "
                    + "deleted), Bauble (2 new)"
            ])
    }

    @Test func `perform logs the changes that its body did not save`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Trinket.self, Bauble.self))
        let lines = try await logging {
            try await store.perform { context in _ = Trinket(in: context) }
            try await store.perform { context in
                _ = Trinket(in: context)
                try context.save()
            }
        }
        #expect(lines.count == 1 && lines[0].hasSuffix("Trinket (1 new)"))
    }

    @Test func `rollback and reset discard changes without a message`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Trinket.self, Bauble.self))
        let lines = try await logging {
            for discard in [{ $0.rollback() }, { $0.reset() }] as [(ObjectContext) -> Void] {
                let context = ObjectContext(store)
                _ = Trinket(in: context)
                discard(context)
            }
        }
        #expect(lines.isEmpty)
    }

    @Test func `A change of an object that is not in a context any more is logged once`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Trinket.self, Bauble.self))
        let lines = try await logging {
            let context = ObjectContext(store)
            let (deleted, reset, new) = (Trinket(in: context), Trinket(in: context), Bauble())
            new.trinket = Trinket()
            try context.save()
            context.delete(deleted)
            try context.save()
            for name in ["secret", "other"] { deleted.name = name }
            context.reset()
            for name in ["secret", "other"] { reset.name = name }
            let rolledBack = Bauble(in: context)
            context.rollback()
            rolledBack.trinket = reset
            context.insert(rolledBack)
            rolledBack.trinket = nil
            context.reset()
        }
        #expect(
            lines == [
                "[ObjectStore] warning: a change to a deleted object of 'Trinket' is not saved",
                "[ObjectStore] warning: a change to an object of 'Trinket' is not saved: it left its context by a "
                    + "rollback or reset; fetch the object again, or insert it",
                "[ObjectStore] warning: a change to an object of 'Bauble' is not saved: it left its context by a "
                    + "rollback or reset; fetch the object again, or insert it",
            ])
    }

    @Test func `A change of an object whose context has ended is logged once`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Trinket.self, Bauble.self))
        let lines = try await logging {
            let trinket: Trinket
            do {
                let context = ObjectContext(store)
                trinket = Trinket(in: context)
                try context.save()
            }
            for name in ["secret", "other"] { trinket.name = name }
        }
        #expect(
            lines == [
                "[ObjectStore] warning: a change to an object of 'Trinket' is not saved: its context has ended; keep the "
                    + "context"
            ])
    }
}
