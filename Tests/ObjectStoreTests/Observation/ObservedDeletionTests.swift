import Foundation
import Testing

@testable import ObjectStore

private final class Grove: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Plum.grove) var plums: [Plum]
}

private final class Plum: ManagedObject {
    @Stored(.identity) var number = 0
    @ToOne var grove: Grove?
}

/// What an observation returns while others delete objects.
@Suite struct `Observed queries while others delete` {
    private static let count = 2_000

    @Test @MainActor func `return no deleted objects, and each section once`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Grove.self, Plum.self))
        try await store.perform { context in
            let groves = (0..<10).map { number in
                let grove = Grove(in: context)
                grove.number = number
                return grove
            }
            for number in 0..<Self.count {
                let plum = Plum(in: context)
                (plum.number, plum.grove) = (number, groves[number % 10])
            }
            try context.save()
        }
        let query = Plum.all.sorted { [$0.grove.number.ascending, $0.number.ascending] }
        let changes = store.mainContext.observe(query, sectionedBy: { $0.grove.map { "\($0.number)" } ?? "none" })
        // They end at any moment of a step.
        var deletions: Task<Void, any Error>?
        for try await change in changes {
            #expect(change.objects.allSatisfy { $0.managed.context != nil && $0.managed.state != .deleted })
            #expect(change.sections.map(\.name) == (0..<10).map(String.init))
            if change.objects.count == Self.count - 120 { break }
            guard deletions == nil else { continue }
            deletions = Task.detached {
                for number in 0..<40 {
                    try await store.perform { context in
                        for plum in try context.fetch(Plum.where { $0.number >= number * 50 }.limit(3)) {
                            context.delete(plum)
                        }
                        try context.save()
                    }
                }
            }
        }
        try await deletions?.value
    }
}
