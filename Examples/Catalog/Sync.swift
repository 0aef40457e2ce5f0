import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let sync = Example(
    "sync", group: "Objects",
    "Changes from a server, with timestamps and tombstones, that can arrive late, twice or out of order"
) { story in
    story.say(
        """
        The server sends the changes since a date. Each object has a timestamp. A deleted object is a tombstone: \
        its number and `deleted`.
        """)
    for delta in deltas { story.show(delta) }

    story.say(
        "`modified(by:)` names the timestamp. A payload that is not newer than the stored row does not change it:")
    story.showCode("declaration")

    story.say(
        """
        Changes are imported like any payload. A tombstone marks its row, and queries skip it. The app sends the newest \
        timestamp in the store with its next request:
        """)
    story.showCode("syncing")

    let store = try openStore()
    for delta in deltas { story.show(try await apply(delta, to: store)) }
    let expected = try await notes(in: store)
    story.say("The notes:")
    for line in expected { story.show(line) }

    story.say(
        """
        A response that arrives late or again changes nothing, because all timestamps in the store are newer or equal,
        also those of tombstones.
        """)
    story.show(try await apply(deltas[0], to: store))
    story.show("the same notes: \(try await notes(in: store) == expected)")

    story.say("Tombstones can be deleted when no older response can arrive:")
    story.showCode("purging")
    story.show("\(try await purge(store, before: Date(timeIntervalSince1970: 1_775_000_000))) deleted")

    story.say(
        "Unsaved changes of the user are kept. If the server changed the same value, the save reports a conflict:")
    story.showCode("conflict")
    story.show(try await editDuringSync(store))
}

private let deltas = [
    """
    [{ "id": 1, "text": "Buy tea", "updated_at": "2026-03-01T08:00:00Z" },
     { "id": 2, "text": "Mend the kettle", "updated_at": "2026-03-01T08:05:00Z" },
     { "id": 3, "text": "Call Ada", "updated_at": "2026-03-01T08:10:00Z" }]
    """,
    """
    [{ "id": 1, "text": "Buy green tea", "updated_at": "2026-03-02T09:00:00Z" },
     { "id": 3, "deleted": true, "updated_at": "2026-03-02T09:30:00Z" }]
    """,
]

// snippet.declaration
private final class SyncedNote: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var text = ""
    @Stored(.indexed) var isRemoved = false
    @Stored(.indexed) var updatedAt: Date? = nil

    static let mapping = Mapping(SyncedNote.self) {
        Attribute("id", \.id)
        Attribute("text", \.text)
        Attribute("deleted", \.isRemoved)
        Attribute("updated_at", \.updatedAt)
    }
    .modified(by: \.updatedAt)
}
// snippet.end

private func openStore() throws -> ManagedObjectStore { try ManagedObjectStore(inMemory: ObjectModel(SyncedNote.self)) }

// snippet.syncing
private func apply(_ delta: String, to store: ManagedObjectStore) async throws -> String {
    let report = try await store.importJSON(Data(delta.utf8), with: SyncedNote.mapping)
    let newest = try await store.perform { context in
        try context.aggregate(SyncedNote.all) { $0.updatedAt.max() }
    }
    let counts = report["SyncedNote"]
    return "\(counts?.inserted ?? 0) inserted, \(counts?.updated ?? 0) updated, \(counts?.unchanged ?? 0) unchanged; "
        + "the next request: /notes?since=\(newest.map { $0.ISO8601Format() } ?? "-")"
}

private func notes(in store: ManagedObjectStore) async throws -> [String] {
    try await store.perform { context in
        try context.fetch(SyncedNote.where { $0.isRemoved == false }.sorted(by: \.id)).map { "\($0.id) \($0.text)" }
    }
}
// snippet.end

// snippet.purging
private func purge(_ store: ManagedObjectStore, before date: Date) async throws -> Int {
    try await store.perform { context in
        try context.delete(SyncedNote.where { $0.isRemoved == true && $0.updatedAt < date })
    }
}
// snippet.end

// snippet.conflict
private func editDuringSync(_ store: ManagedObjectStore) async throws -> String {
    let context = ObjectContext(store)
    let note = try await context.find(SyncedNote.self, 2)
    note?.text = "Buy a kettle"
    let delta = #"{ "id": 2, "text": "Sell the kettle", "updated_at": "2026-03-03T10:00:00Z" }"#
    _ = try await apply(delta, to: store)
    do {
        try await context.save()
        return "saved"
    } catch {
        return error.conflicts.map { "\($0.property): \($0.mine.text ?? "") or \($0.theirs.text ?? "")?" }.joined()
    }
}
// snippet.end
