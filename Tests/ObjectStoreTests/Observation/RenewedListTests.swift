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
        let store = try Cartons.store()
        let context = ObjectContext(store, isObserved: true)
        let cartons = try cartons(count, in: context)
        let notified = Mutex(0)
        for carton in cartons {
            withObservationTracking {
                _ = (carton.bag.count, carton.sundries.count)
            } onChange: {
                notified.withLock { $0 += 1 }
            }
        }
        try moveSundries(in: ObjectContext(store))
        let log = StatementLog(store)
        #expect(try await context.count(Carton.all) == count)
        #expect(notified.withLock { $0 } == count)
        #expect(cartons.allSatisfy { $0.bag.map(\.id) == [$0.id] && $0.sundries.map(\.id) == [$0.id] })
        // The count, the merged cartons and sundries, and a list of each relationship.
        #expect(log.take().count <= 6)
    }

    /// Creates cartons one after the other, so that they are not read together.
    private func cartons(_ count: Int, in context: ObjectContext) throws -> [Carton] {
        try (1...count).map { id in
            let carton = Carton(id, in: context)
            Sundry(id, in: context).n = id
            try context.save()
            return carton
        }
    }

    private func moveSundries(in context: ObjectContext) throws {
        for sundry in try context.fetch(Sundry.all) {
            let carton = try context.find(Carton.self, sundry.id)
            (sundry.shelf, sundry.carton) = (carton, carton)
        }
        try context.save()
    }
}
