import Foundation
import Synchronization
import Testing

@testable import ObjectStore

/// The threads on which spores end.
private let ends = Mutex<[Bool]>([])

private final class Spore: ManagedObject {
    @Stored(.identity) var number = 0

    deinit {
        let isMain = Thread.isMainThread
        ends.withLock { $0.append(isMain) }
    }
}

@Suite struct `Objects that leave observed queries` {
    @MainActor @Test(.timeLimit(.minutes(1)))
    func `end on the actor of their context, although the list is copied on another thread`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Spore.self))
        try store.write(
            sql: #"""
                INSERT INTO "Spore"("number") WITH RECURSIVE "n"("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n"
                WHERE "i" < 2000) SELECT "i" FROM "n"
                """#)
        var changes = store.mainContext.observe(Spore.all.sorted(by: \.number)).makeAsyncIterator()
        var shown = try #require(try await changes.next()).objects
        for number in 1...20 {
            try await Task.detached {
                try await store.perform { context in
                    for key in [number, 1000 + number] {
                        if let spore = try context.find(Spore.self, key) { context.delete(spore) }
                    }
                    try context.save()
                }
                // Only those of the main context are counted.
                ends.withLock { $0 = $0.filter { $0 } }
            }.value
            shown = try #require(try await changes.next()).objects
            #expect(shown.count == 2000 - 2 * number && shown.first?.number == number + 1)
            #expect(shown[999 - number].number == 1000 && shown[1000 - number].number == 1001 + number)
        }
        let found = ends.withLock { $0 }
        #expect(found.count >= 30 && found.allSatisfy { $0 }, "\(found)")
    }
}
