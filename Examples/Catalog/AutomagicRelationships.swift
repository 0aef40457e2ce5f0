import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let automagicRelationships = Example(
    "automagic-relationships", group: "Objects",
    "Tasks with the number of their user, connected in any order of the payloads"
) { story in
    story.say("A server sends tasks with the number of their user. Users and lists have their own payloads:")
    for payload in payloads { story.show(payload.json) }

    story.say("A connection names the key. No code searches for users or sets relationships:")
    story.showCode("declaration")

    story.say("Each payload is imported by the mapping of its class, in the order of arrival:")
    story.showCode("importing")

    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    var results: Set<[String]> = []
    for order in orders { results.insert(try await readPayloads(in: order)) }
    story.say("There are six orders, and \(results.count == 1 ? "one result" : "\(results.count) results"):")
    for line in results.first ?? [] { story.show(line) }

    story.say(
        """
        A task whose user is missing stores the number. It is connected when a payload contains the user, \
        even after a restart of the app. If the user is deleted, it waits again:
        """)
    story.showCode("waiting")
    for line in try await waitForUser() { story.show(line) }
}

// snippet.declaration
private final class TaskList: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var title = ""
    @ToMany(inverse: \ListTask.list) var tasks: [ListTask]

    static let mapping = Mapping(TaskList.self) {
        Attribute("id", \.id)
        Attribute("title", \.title)
    }
}

private final class ListTask: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @Stored var listID: Int? = nil
    @Stored var assignedUserID: Int? = nil
    @ToOne var list: TaskList?
    @ToOne var assignedUser: ListUser?

    static let mapping = Mapping(ListTask.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("list_id", \.listID)
        Attribute("assigned_user_id", \.assignedUserID)
        Connection(\.list, by: \.listID)
        Connection(\.assignedUser, by: \.assignedUserID)
    }
}

private final class ListUser: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @ToMany(inverse: \ListTask.assignedUser) var tasks: [ListTask]

    static let mapping = Mapping(ListUser.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
}
// snippet.end

private struct Payload {
    let json: String
    let load: @Sendable (ManagedObjectStore, Data) async throws -> ImportReport

    func load(into store: ManagedObjectStore) async throws { _ = try await load(store, Data(json.utf8)) }
}

// snippet.importing
private let payloads = [
    Payload(json: #"{ "lists": [{ "id": 1, "title": "Harbour lights" }] }"#) { store, data in
        try await store.importJSON(data, with: TaskList.mapping, at: "lists")
    },
    Payload(
        json: """
            { "tasks": [
                { "id": 100, "name": "Survey the pier", "list_id": 1, "assigned_user_id": 7 },
                { "id": 101, "name": "Wire the beacon", "list_id": 1, "assigned_user_id": 8 },
                { "id": 102, "name": "Order the lamps", "list_id": 1, "assigned_user_id": 7 }] }
            """
    ) { store, data in try await store.importJSON(data, with: ListTask.mapping, at: "tasks") },
    Payload(json: #"{ "users": [{ "id": 7, "name": "Ada" }, { "id": 8, "name": "Mei" }] }"#) { store, data in
        try await store.importJSON(data, with: ListUser.mapping, at: "users")
    },
]
// snippet.end

private func openStore() throws -> ManagedObjectStore {
    try ManagedObjectStore(inMemory: ObjectModel(TaskList.self, ListTask.self, ListUser.self))
}

private func readPayloads(in order: [Int]) async throws -> [String] {
    let store = try openStore()
    for index in order { try await payloads[index].load(into: store) }
    return try await store.perform { context in
        try context.fetch(ListTask.all.sorted(by: \.id)).map {
            "\($0.list?.title ?? "-"): \($0.name), \($0.assignedUser?.name ?? "-")"
        }
    }
}

// snippet.waiting
private func waitForUser() async throws -> [String] {
    let store = try openStore()
    let task = #"{ "id": 100, "name": "Survey the pier", "assigned_user_id": 7 }"#
    let user = #"{ "id": 7, "name": "Ada" }"#
    var lines: [String] = []

    var report = try await store.importJSON(Data(task.utf8), with: ListTask.mapping)
    lines.append("after the task: \(report["ListTask"]?.waiting ?? 0) waits for its user")

    report = try await store.importJSON(Data(user.utf8), with: ListUser.mapping)
    lines.append("after the user: \(report["ListTask"]?.connected ?? 0) is connected")

    try await store.perform { context in
        try context.fetch(ListUser.all).forEach(context.delete)
        try context.save()
    }
    report = try await store.importJSON(Data(user.utf8), with: ListUser.mapping)
    lines.append("after the user was deleted and comes again: \(report["ListTask"]?.connected ?? 0) is connected")
    return lines
}
// snippet.end
