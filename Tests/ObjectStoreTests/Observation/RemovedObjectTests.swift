import Dispatch
import Synchronization
import Testing

@testable import ObjectStore

/// The number of spores that have ended on the main actor.
private let ends = Atomic(0)
private let isMain = DispatchSpecificKey<Bool>()

private final class Spore: ManagedObject {
    @Stored(.identity) var number = 0

    deinit {
        if DispatchQueue.getSpecific(key: isMain) == true { ends.add(1, ordering: .relaxed) }
    }
}

@Suite struct `Objects that leave observed queries` {
    @MainActor @Test(.timeLimit(.minutes(1)))
    func `end on the actor of their context, although the list is copied on another thread`() async throws {
        DispatchQueue.main.setSpecific(key: isMain, value: true)
        let store = try ManagedObjectStore(inMemory: ObjectModel(Spore.self))
        try store.write(
            sql: #"""
                INSERT INTO "Spore"("number") WITH RECURSIVE "n"("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n"
                WHERE "i" < 2000) SELECT "i" FROM "n"
                """#)
        var changes = store.mainContext.observe(Spore.all.sorted(by: \.number)).makeAsyncIterator()
        var shown = try #require(try await changes.next()).objects
        // The store has created others.
        let start = ends.load(ordering: .relaxed)
        for number in 1...20 {
            // SQL creates no other objects.
            try store.write(
                sql: #"DELETE FROM "Spore" WHERE "number" IN (?, ?)"#,
                arguments: [.integer(Int64(number)), .integer(Int64(1000 + number))])
            shown = try #require(try await changes.next()).objects
            #expect(shown.count == 2000 - 2 * number && shown.first?.number == number + 1)
            #expect(shown[999 - number].number == 1000 && shown[1000 - number].number == 1001 + number)
        }
        _ = consume changes
        #expect(ends.load(ordering: .relaxed) - start == 40)
    }
}
