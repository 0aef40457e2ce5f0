import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `The rules of a save through a remote` {
    private let remote = ScriptedRemote(entities: ["Poet", "Poem"])

    private static func poets(_ json: String) -> RemoteObjects {
        RemoteObjects(json, with: Poet.mapping, isComplete: true)
    }

    /// A context with the poet 1.
    @MainActor private func context() async throws -> (ObjectContext, Poet) {
        let store = try await remote.store(URL(filePath: ":memory:"), FolderRemote.model())
        remote.onFetch { _ in Self.poets(#"[{"id": 1, "name": "Jane"}]"#) }
        return (
            store.mainContext, try #require(try await store.mainContext.fetch(Poet.all, policy: .remote).first)
        )
    }

    private nonisolated(nonsending) func failure(_ context: ObjectContext) async -> StoreError? {
        do throws(StoreError) { try await context.save() } catch { return error }
        return nil
    }

    @Test @MainActor func `a save that waits for another one ends when it is cancelled`() async throws {
        let (context, poet) = try await context()
        poet.name = "Emily"
        let gate = Gate()
        remote.onSave { _ in
            await gate.wait()
            return .saved()
        }
        let first = Task { @MainActor in await failure(context) }
        #expect(await eventually { gate.waiting == 1 })
        poet.name = "Anne"
        let second = Task { @MainActor in await failure(context) }
        let third = Task { @MainActor in await failure(context) }
        await Task.yield()
        second.cancel()
        let error = await second.value
        #expect(error?.kind == .notSaved && error?.outcomes.map(\.kind) == [.notSent])
        #expect(gate.waiting == 1)
        gate.open()
        #expect(await first.value == nil)
        #expect(await third.value == nil)
        #expect(remote.changes.map { $0.values["name"] } == [.text("Emily"), .text("Anne")])
        #expect(!context.hasChanges)
    }
}
