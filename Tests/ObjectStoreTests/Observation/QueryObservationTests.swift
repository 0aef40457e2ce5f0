import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Rack: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @ToMany(inverse: \Volume.shelf) var books: [Volume]

    static let mapping = Mapping(Rack.self) {
        Attribute("number", \.number); Attribute("name", \.name)
    }
}

private final class Volume: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var title = ""
    @ToOne var shelf: Rack?

    static let mapping = Mapping(Volume.self) {
        Attribute("number", \.number); Attribute("title", \.title)
    }
}

@Suite struct `Observed queries` {
    private let store: ManagedObjectStore
    private let context: ObjectContext
    private let query = Volume.all.sorted(by: \.title)

    /// The volumes 1 to 3 with the titles a, b and c, in rack 1.
    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Rack.self, Volume.self))
        let first = ObjectContext(store)
        let rack = Rack(in: first)
        (rack.number, rack.name) = (1, "s")
        for (index, title) in ["a", "b", "c"].enumerated() {
            let volume = Volume(in: first)
            (volume.number, volume.title, volume.shelf) = (index + 1, title, rack)
        }
        try first.save()
        context = ObjectContext(store)
    }

    /// Changes of the volumes by a new context.
    private func save(_ change: (ObjectContext) throws -> Void) throws {
        let other = ObjectContext(store)
        try change(other)
        try other.save()
    }

    @Test func `return all objects first`() async throws {
        var changes = context.observe(query).makeAsyncIterator()
        let change = try #require(try await changes.next())
        #expect(change.isInitial && change.objects.map(\.title) == ["a", "b", "c"] && change.inserted == [0, 1, 2])
        #expect(change.deleted.isEmpty && change.moved.isEmpty && change.updated.isEmpty && change.sections.isEmpty)
    }

    /// What changes the title of volume 1 to z, and adds a volume 4 with the title d.
    enum Writer: CaseIterable { case ownContext, otherContext, importedFile, rawSQL }

    @Test(.timeLimit(.minutes(1)), arguments: Writer.allCases)
    func `return changes of every writer`(_ writer: Writer) async throws {
        var changes = context.observe(query).makeAsyncIterator()
        let first = try #require(try await changes.next()).objects
        switch writer {
        case .ownContext:
            first[0].title = "z"
            let volume = Volume(in: context)
            (volume.number, volume.title) = (4, "d")
            try await context.save()
        case .otherContext:
            try save {
                try #require(try $0.find(Volume.self, 1)).title = "z"
                let volume = Volume(in: $0)
                (volume.number, volume.title) = (4, "d")
            }
        case .importedFile:
            let text = #"[{"number": 1, "title": "z"}, {"number": 4, "title": "d"}]"#
            _ = try await store.importJSON(Data(text.utf8), with: Volume.mapping)
        case .rawSQL:
            try store.write(sql: #"UPDATE "Volume" SET "title" = 'z' WHERE "number" = 1"#)
            try store.write(sql: #"INSERT INTO "Volume"("number", "title") VALUES (4, 'd')"#)
        }
        let change = try #require(try await changes.next())
        #expect(!change.isInitial && change.objects.map(\.title) == ["b", "c", "d", "z"])
        #expect(change.inserted == [2] && change.deleted.isEmpty)
        #expect(change.moved.map { [$0.from, $0.to] } == [[0, 3]])
        #expect(change.updated == (writer == .rawSQL ? [0, 1, 3] : [3]))
        for (old, new) in [(0, 3), (1, 0), (2, 1)] { #expect(first[old] === change.objects[new]) }
    }

    @Test(.timeLimit(.minutes(1))) func `return removals by deletions and bulk changes`() async throws {
        var changes = context.observe(Volume.where { $0.title < "c" }.sorted(by: \.title)).makeAsyncIterator()
        #expect(try await changes.next()?.objects.map(\.title) == ["a", "b"])
        try save { $0.delete(try #require(try $0.find(Volume.self, 1))) }
        let deletion = try #require(try await changes.next())
        #expect(deletion.deleted == [0] && deletion.objects.map(\.title) == ["b"])
        let other = ObjectContext(store)
        try await other.update(Volume.all) { $0.set(\.title, to: "x") }
        let update = try #require(try await changes.next())
        #expect(update.deleted == [0] && update.objects.isEmpty)
        try await other.update(Volume.all) { $0.set(\.title, to: "b") }
        #expect(try await changes.next()?.inserted == [0, 1])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `return all of several removals`(_ isOwn: Bool) async throws {
        var changes = context.observe(query).makeAsyncIterator()
        let volumes = try #require(try await changes.next()).objects
        if isOwn {
            for volume in volumes[..<2] { context.delete(volume) }
            try await context.save()
        } else {
            try save { for number in 1...2 { $0.delete(try #require(try $0.find(Volume.self, number))) } }
            // The objects have left the context before the next step.
            #expect(try await context.fetch(query).map(\.title) == ["c"])
        }
        let change = try #require(try await changes.next())
        #expect(change.deleted == [0, 1] && change.objects.map(\.title) == ["c"])
    }

    @Test(.timeLimit(.minutes(1))) func `end when the store is closed while they wait`() async throws {
        let (store, query) = (store, query)
        let observer = Task { @MainActor in
            let context = store.mainContext
            for try await _ in context.observe(query) {}
        }
        while !store.signal.isAwaited { await Task.yield() }
        store.close()
        await #expect { try await observer.value } throws: { ($0 as? StoreError)?.kind == .closed }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    @MainActor func `throw when the store was closed between two steps`(_ isMain: Bool) async throws {
        let observed = isMain ? store.mainContext : ObjectContext(store)
        var changes = observed.observe(query).makeAsyncIterator()
        _ = try await changes.next()
        store.close()
        var error: StoreError?
        do { _ = try await changes.next() } catch let thrown { error = thrown }
        #expect(error?.kind == .closed)
        #expect(try await changes.next() == nil)
    }

    @Test(.timeLimit(.minutes(1))) func `join commits between two steps`() async throws {
        var changes = context.observe(query).makeAsyncIterator()
        _ = try await changes.next()
        for title in ["x", "y", "z"] { try save { try #require(try $0.find(Volume.self, 1)).title = title } }
        let change = try #require(try await changes.next())
        #expect(change.objects.map(\.title) == ["b", "c", "z"] && change.updated == [2])
    }

    @Test(.timeLimit(.minutes(1))) func `do not return commits that leave the result`() async throws {
        var changes = context.observe(query.limit(2)).makeAsyncIterator()
        _ = try await changes.next()
        // Another table, a volume that does not belong to the result, and one that does.
        try save { try #require(try $0.find(Rack.self, 1)).name = "t" }
        try save { try #require(try $0.find(Volume.self, 3)).title = "d" }
        try save { try #require(try $0.find(Volume.self, 2)).title = "e" }
        let change = try #require(try await changes.next())
        #expect(change.objects.map(\.title) == ["a", "d"] && change.deleted == [1] && change.inserted == [1])
    }

    @Test(.timeLimit(.minutes(1))) func `follow the targets of relationships in conditions and orders`() async throws {
        try save {
            let rack = Rack(in: $0)
            (rack.number, rack.name) = (2, "r")
            try #require(try $0.find(Volume.self, 3)).shelf = rack
        }
        let byShelf = Volume.all.sorted(by: \.shelf?.name).sorted(by: \.title)
        var changes = context.observe(byShelf) { $0.shelf?.name ?? "" }.makeAsyncIterator()
        let first = try #require(try await changes.next())
        #expect(first.objects.map(\.title) == ["c", "a", "b"])
        #expect(first.sections.map(\.name) == ["r", "s"] && first.sections.map(\.range) == [0..<1, 1..<3])
        try save { try #require(try $0.find(Rack.self, 2)).name = "t" }
        let change = try #require(try await changes.next())
        #expect(change.objects.map(\.title) == ["a", "b", "c"] && change.moved.count == 1)
        #expect(change.sections.map(\.name) == ["s", "t"] && change.sections.map(\.range) == [0..<2, 2..<3])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `return sections with the new names of related objects`(_ isSortedByName: Bool) async throws {
        let query = isSortedByName ? Volume.all.sorted { $0.shelf.name.ascending } : Volume.all.sorted(by: \.number)
        var changes = context.observe(query, sectionedBy: { $0.shelf?.name ?? "" }).makeAsyncIterator()
        #expect(try await changes.next()?.sections.map(\.name) == ["s"])
        try save { try #require(try $0.find(Rack.self, 1)).name = "t" }
        let change = try #require(try await changes.next())
        #expect(change.sections.map(\.name) == ["t"] && change.updated.isEmpty && !change.isInitial)
    }

    @Test(.timeLimit(.minutes(1))) func `include unsaved changes of the context`() async throws {
        var changes = context.observe(query).makeAsyncIterator()
        let first = try #require(try await changes.next()).objects
        first[0].title = "y"
        context.delete(first[1])
        let volume = Volume(in: context)
        (volume.number, volume.title) = (9, "x")
        try save { try #require(try $0.find(Volume.self, 3)).title = "e" }
        let change = try #require(try await changes.next())
        #expect(change.objects.map(\.title) == ["e", "x", "y"] && change.deleted == [1])
        // The new object has another row number after the save, but is the same object.
        try await context.save()
        let saved = try #require(try await changes.next())
        #expect(saved.objects == change.objects && saved.inserted.isEmpty && saved.deleted.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `resume a task that waits`() async throws {
        let (store, query) = (store, query)
        let observer = Task { @MainActor in
            var titles: [[String]] = []
            for try await change in store.mainContext.observe(query) {
                titles.append(change.objects.map(\.title))
                if titles.count == 2 { break }
            }
            return titles
        }
        while !store.signal.isAwaited { await Task.yield() }
        _ = try await store.perform { context in
            try #require(try context.find(Volume.self, 3)).title = "0"
            try context.save()
        }
        #expect(try await observer.value == [["a", "b", "c"], ["0", "a", "b"]])
    }

    @Test(.timeLimit(.minutes(1))) func `end with the context`() async throws {
        var short: ObjectContext? = ObjectContext(store)
        var changes = try #require(short).observe(query).makeAsyncIterator()
        _ = try await changes.next()
        short = nil
        #expect(try await changes.next() == nil)
        #expect(try await changes.next() == nil)
    }

    @Test(.timeLimit(.minutes(1))) func `end when the task is cancelled while it waits`() async throws {
        let (store, query) = (store, query)
        let observer = Task { @MainActor in
            var count = 0
            for try await _ in store.mainContext.observe(query) { count += 1 }
            return count
        }
        while !store.signal.isAwaited { await Task.yield() }
        observer.cancel()
        #expect(try await observer.value == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `throw once when the store was closed`() async throws {
        var changes = context.observe(query).makeAsyncIterator()
        _ = try await changes.next()
        try save { try #require(try $0.find(Volume.self, 3)).title = "0" }
        store.close()
        await #expect { _ = try await changes.next() } throws: { ($0 as? StoreError)?.kind == .closed }
        #expect(try await changes.next() == nil)
    }

    @Test func `throw for a query that cannot run`() async throws {
        var changes = context.observe(Volume.all.limit(-1)).makeAsyncIterator()
        await #expect { _ = try await changes.next() } throws: { ($0 as? StoreError)?.kind == .misuse }
    }

    @Test func `retain no commits after they ended`() async throws {
        do {
            var changes = context.observe(query).makeAsyncIterator()
            _ = try await changes.next()
            for number in 10..<20 {
                try save {
                    let volume = Volume(in: $0)
                    volume.number = number
                }
            }
            #expect(store.commits.retainedRows > 0)
        }
        _ = try await context.fetch(query)
        #expect(store.commits.retainedRows == 0)
    }
}

@Suite struct `Queries observed in a file` {
    @Test(.timeLimit(.minutes(1))) func `return commits of other processes`() async throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("books.sqlite")
        let store = try ManagedObjectStore(at: url, model: ObjectModel(Rack.self, Volume.self))
        let context = ObjectContext(store)
        var changes = context.observe(Volume.all).makeAsyncIterator()
        #expect(try await changes.next()?.objects.isEmpty == true)
        // SQLite's own connection, as another process has it.
        let database = try SQLiteDatabase(path: url.path, mode: .readWrite)
        try database.run(#"INSERT INTO "Volume"("number", "title") VALUES (1, 'a')"#)
        #expect(try await changes.next()?.objects.map(\.title) == ["a"])
    }
}
