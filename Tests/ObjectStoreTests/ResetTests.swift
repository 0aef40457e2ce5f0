import Foundation
@testable import ObjectStore
import Synchronization
import TestSupport
import Testing

/// What happens to loads and saves of a store that is reset, such as when a user signs out.
@Suite("A reset") struct ResetTests {
    final class Letter: ManagedObject {
        @Stored var text = ""
    }

    @Test func `leaves no row of a save that waited for it`() async throws {
        let folder = try TemporaryDirectory()
        let store = try ManagedObjectStore(at: folder.file("a.sqlite"), model: ObjectModel(Letter.self))
        let writers = (0..<4).map { _ in
            Task {
                // Until the store is closed.
                while let _ = try? await store.perform({ context in
                    let context = ObjectContext(context.store)
                    context.insert(Letter.self)
                    try context.save()
                }) {}
            }
        }
        while try store.count(of: "Letter") == 0 { await Task.yield() }
        let new = try await store.reset()
        for writer in writers { await writer.value }
        #expect(try new.count(of: "Letter") == 0)
        new.close()
    }

    @Test func `cancels loads, waits for them, and refuses further ones`() async throws {
        let folder = try TemporaryDirectory()
        let store = try ManagedObjectStore(at: folder.file("a.sqlite"), model: ObjectModel(Letter.self))
        let events = Mutex<[String]>([])
        let (started, start) = AsyncStream<Void>.makeStream()
        let load = Task {
            try await store.loads.run {
                start.yield()
                while !Task.isCancelled { await Task.yield() }
                events.withLock { $0.append("load") }
            }
        }
        for await _ in started { break }
        let new = try await store.reset()
        events.withLock { $0.append("reset") }
        try await load.value
        #expect(events.withLock { $0 } == ["load", "reset"])
        await #expect(throws: StoreError.self) { try await store.loads.run {} }
        try await new.loads.run {}
        new.close()
    }

    @Test func `that fails allows loads again`() async throws {
        let folder = try TemporaryDirectory()
        let store = try ManagedObjectStore(at: folder.file("a.sqlite"), model: ObjectModel(Letter.self))
        try FileManager.default.moveItem(at: folder.file("a.sqlite"), to: folder.file("b.sqlite"))
        await #expect(throws: StoreError.self) { try await store.reset() }
        #expect(try await store.loads.run { 7 } == 7)
        store.close()
    }
}
