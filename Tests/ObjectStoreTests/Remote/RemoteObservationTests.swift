import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `An observation of objects that a remote saves` {
    private let remote = ScriptedRemote(entities: ["Poet", "Poem"])

    @Test @MainActor func `ends with the values that the remote assigned`() async throws {
        let context = try await remote.store(URL(filePath: ":memory:"), FolderRemote.model()).mainContext
        let observer = QueryObserver(Poet.all.sorted(by: \.name), in: context)
        var shown: [Int] = []
        /// Applies the steps after all commits so far, as a list does that shows values when it receives a change.
        func show() async throws {
            while case .changed(let change) = try await observer.step() {
                if shown.count != change.objects.count { shown = change.objects.map { _ in -1 } }
                for position in change.inserted + change.updated { shown[position] = change.objects[position].id }
            }
        }
        try await show()
        for name in ["A", "B", "C"] { Poet(in: context).name = name }
        let gates = [Gate(), Gate(), Gate()]
        let remote = remote
        remote.onSave { change in
            let number = remote.changes.count
            await gates[number - 1].wait()
            return .saved(.poets(#"{"id": \#(number)}"#))
        }
        let saving = Task { @MainActor in try await context.save() }
        for gate in gates {
            #expect(await eventually { gate.waiting == 1 })
            try await show()
            gate.open()
        }
        try await saving.value
        try await show()
        #expect(shown == [1, 2, 3])
    }

    @Test @MainActor func `leaves out a new object that another one replaces`() async throws {
        let context = try await remote.store(URL(filePath: ":memory:"), FolderRemote.model()).mainContext
        let observer = QueryObserver(Poet.all.sorted(by: \.name), in: context)
        Poet(in: context).name = "Jane"
        let gate = Gate()
        remote.onSave { _ in
            await gate.wait()
            return .saved(.poets(#"{"id": 1, "name": "Jane"}"#))
        }
        let saving = Task { @MainActor in try await context.save() }
        #expect(await eventually { gate.waiting == 1 })
        remote.onFetch { _ in .poets(#"[{"id": 1, "name": "Jane"}]"#) }
        let poets = try await context.fetch(Poet.all, policy: .remote)
        #expect(poets.count == 2)
        guard case .changed(let before) = try await observer.step() else { throw CancellationError() }
        #expect(before.objects.count == 2)
        let signals = observer.signals
        gate.open()
        try await saving.value
        #expect(observer.signals > signals)
        guard case .changed(let after) = try await observer.step() else { throw CancellationError() }
        #expect(after.objects.map(\.id) == [1] && after.deleted.count == 1)
    }
}
