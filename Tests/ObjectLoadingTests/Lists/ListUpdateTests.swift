import ObjectLoading
import Testing

private final class Boat: ManagedObject {
    @Stored(.identity) var boatID = 0
    @Stored var name = ""
}

@Suite("Updated objects of a list", .timeLimit(.minutes(1))) @MainActor
struct ListUpdateTests {
    private let store: ManagedObjectStore
    private let list: ListModel<Boat>

    init() async throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Boat.self))
        for number in 1...3 {
            let boat = store.mainContext.insert(Boat.self)
            (boat.boatID, boat.name) = (number, "b\(number)")
        }
        try await store.mainContext.save()
        list = ListModel(Boat.all.sorted(by: \.boatID), in: store)
        await list.update()
    }

    /// Returns the positions of updated objects of all changes while a closure runs.
    private func updates(_ body: () async throws -> Void) async throws -> [[Int]] {
        var updates: [[Int]] = []
        list.onChange = { updates.append($0.updated) }
        try await body()
        await list.update()
        list.onChange = nil
        return updates
    }

    @Test(arguments: ["search", "sort", "reset", "query", "several"])
    func `are reported if another query begins before the step that reads them`(_ change: String) async throws {
        let list = list
        let updates = try await updates {
            list.objects[1].name = "b edited"
            try await store.mainContext.save()
            switch change {
            case "search": list.search = ListSearch("b", in: \.name)
            case "sort": list.sort(by: \.boatID)
            case "reset": list.reset()
            case "query": list.query = Boat.where { $0.boatID > 0 }.sorted(by: \.boatID)
            default:
                list.search = ListSearch("b", in: \.name)
                list.objects[2].name = "b edited, too"
                try await store.mainContext.save()
                list.sort(by: \.boatID)
            }
        }
        #expect(updates.flatMap(\.self).sorted() == (change == "several" ? [1, 2] : [1]))
    }

    @Test func `of another context are reported if another query begins`() async throws {
        let updates = try await updates {
            try await store.perform { context in
                try context.fetch(Boat.where { $0.boatID == 1 })[0].name = "b edited"
                try context.save()
            }
            list.search = ListSearch("b", in: \.name)
        }
        #expect(updates == [[0]] && list.objects[0].name == "b edited")
    }

    @Test func `are reported when a closure that has failed is replaced`() async throws {
        struct Broken: Error {}
        let updates = try await updates {
            list.filter = { _ in throw Broken() }
            list.objects[2].name = "edited"
            try await store.mainContext.save()
            await list.update()
            #expect(list.error is Broken)
            list.filter = nil
        }
        #expect(updates == [[2]] && list.error == nil)
    }

    @Test func `are reported once`() async throws {
        let updates = try await updates {
            list.objects[0].name = "edited"
            try await store.mainContext.save()
            await list.update()
            list.sort(by: \.boatID)
            await list.update()
            list.reset()
        }
        #expect(updates == [[0]])
    }
}
