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
}
