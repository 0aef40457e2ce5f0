import Foundation
@testable import ObjectStore
import Testing

/// Queries for several classes, and comparisons with parts of paths.
@Suite("Queries of any class") struct AnyObjectQueryTests {
    enum Size: String, Sendable, Codable { case small, large }

    final class Parcel: ManagedObject {
        @Stored(.identity, .generated) var id = UUID()
        @Stored var number: Int? = nil
        @Stored var weight = 0.0
        @Stored var price = Decimal(0)
        @Stored var isSent = false
        @Stored var size = Size.small
        @Stored var label = ""
    }

    final class Van: ManagedObject {
        @Stored(.identity) var id = 0
    }

    private func store() async throws -> ManagedObjectStore {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Parcel.self, Van.self))
        try await store.perform { context in
            for number in 1...2 {
                let parcel = context.insert(Parcel.self)
                (parcel.id, parcel.number, parcel.weight) = (UUID(), number, 1.5)
                (parcel.price, parcel.isSent, parcel.size, parcel.label) = (Decimal(3), true, .large, "7")
            }
            context.insert(Van.self).id = 1
            try context.save()
        }
        return store
    }

    @Test func `The IDs of several classes are in the order of their queries`() async throws {
        let store = try await store()
        let ids = try await store.ids([Van.all, Parcel.all.sorted(by: \.number, descending: true).limit(1)])
        #expect(ids.map { $0.all.map(\.description) } == [["Van/1"], ["Parcel/2"]])
        await #expect(throws: StoreError.self) { try await store.ids([Van.all.offset(-1)]) }
        store.close()
        await #expect(throws: StoreError.self) { try await store.ids([Van.all]) }
    }

    @Test func `A text is compared as a value of the attribute`() async throws {
        let store = try await store()
        func count(_ condition: (QueryObject<Parcel, Parcel>) -> QueryPredicate<Parcel>) async throws -> Int {
            try await store.ids([Parcel.where(condition)]).first?.count ?? 0
        }
        let id = try await store.perform { try $0.fetch(Parcel.all).first?.id.uuidString ?? "" }
        #expect(try await count { $0.id.isEqual(toText: id, named: "id") } == 1)
        #expect(try await count { $0.id.isEqual(toText: id.lowercased(), named: "id") } == 1)
        #expect(try await count { $0.number.isEqual(toText: "2", named: "n") } == 1)
        #expect(try await count { $0.weight.isEqual(toText: "1.5", named: "n") } == 2)
        #expect(try await count { $0.price.isEqual(toText: "3", named: "n") } == 2)
        #expect(try await count { $0.isSent.isEqual(toText: "true", named: "n") } == 2)
        #expect(try await count { $0.size.isEqual(toText: "large", named: "n") } == 2)
        #expect(try await count { $0.label.isEqual(toText: "7", named: "n") } == 2)
        #expect(try await count { $0.label.isEqual(toText: "07", named: "n") } == 0)
        for text in ["", "x", "1.5"] {
            await #expect(throws: StoreError.self) { try await count { $0.number.isEqual(toText: text, named: "n") } }
        }
        await #expect(throws: StoreError.self) { try await count { $0.size.isEqual(toText: "huge", named: "n") } }
        await #expect(throws: StoreError.self) { try await count { $0.id.isEqual(toText: "7", named: "n") } }
    }
}
