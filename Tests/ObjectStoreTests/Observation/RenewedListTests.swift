import ObjectMapping
import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Observed lists that a commit of others changes.
@Suite struct RenewedListTests {
    @Test(arguments: [1, 40])
    func `the lists of all observed objects are read with one statement for each relationship`(
        _ count: Int
    ) async throws {
        let store = try Boxes.store()
        let context = ObjectContext(store, isObserved: true)
        let boxes = try boxes(count, in: context)
        let notified = Mutex(0)
        for box in boxes {
            withObservationTracking {
                _ = (box.bag.count, box.items.count)
            } onChange: {
                notified.withLock { $0 += 1 }
            }
        }
        try moveItems(in: ObjectContext(store))
        let log = StatementLog(store)
        #expect(try await context.count(Box.all) == count)
        #expect(notified.withLock { $0 } == count)
        #expect(boxes.allSatisfy { $0.bag.map(\.id) == [$0.id] && $0.items.map(\.id) == [$0.id] })
        // The count, the merged boxes and items, and a list of each relationship.
        #expect(log.take().count <= 6)
    }

    /// Creates boxes one after the other, so that they are not read together.
    private func boxes(_ count: Int, in context: ObjectContext) throws -> [Box] {
        try (1...count).map { id in
            let box = Box(id, in: context)
            Item(id, in: context).n = id
            try context.save()
            return box
        }
    }

    private func moveItems(in context: ObjectContext) throws {
        for item in try context.fetch(Item.all) {
            let box = try context.find(Box.self, item.id)
            (item.shelf, item.box) = (box, box)
        }
        try context.save()
    }
}
