import Foundation
import ObjectLoading
import ObjectMapping
import ObjectStore
import RequestQueue

/// Loads by an object manager compared with the same requests and writes by hand.
///
/// The service is nginx, which sends a folder of `generate imports` and answers conditional requests.
@MainActor struct LoadingComparison {
    let service: URL
    let client: RESTClient
    let turns: Turns
    var folder: URL { turns.folder }
    var rounds: Int { turns.rounds }

    init(_ service: URL, _ folder: URL, rounds: Int) throws {
        self.service = service
        client = RESTClient(baseURL: service)
        turns = try Turns(folder, rounds: rounds)
    }

    func run() async throws {
        let template = folder.appending(path: "owned.sqlite")
        let count = try await JSONDecoder().decode([TaskKey].self, from: client.get("tasks.json").body).count
        do {
            let store = try ManagedObjectStore.tasks(at: template)
            _ = try await store.importJSON(client.get("users.json").body, with: User.mapping)
            _ = try await store.importJSON(client.get("projects.json").body, with: Project.mapping)
            try store.checkpoint()
        }
        try await compareLoads(count, from: template)
        try await compareConfirmations(count, from: template)
        try await compareSingleObjects(from: template)
        try await compareRemotes(count, from: template)
    }

    // MARK: Cases

    /// Objects of a response are written into a file that has none of them.
    private func compareLoads(_ count: Int, from template: URL) async throws {
        var loaders = [
            Turn("store") { file in
                let store = try ManagedObjectStore.tasks(at: file)
                _ = try await manager(store).load("tasks.json")
                store.close()
            },
            Turn("request and importJSON") { file in
                let store = try ManagedObjectStore.tasks(at: file)
                _ = try await store.importJSON(client.get("tasks.json").body, with: ProjectTask.mapping)
                store.close()
            },
        ]
        #if GRDB
            loaders.append(
                Turn("request and GRDB") { file in
                    let body = try await client.get("tasks.json").body
                    try GRDBWriter(file).write(body, .tasks)
                })
        #endif
        try await turns.report("load", count, loaders, from: template)
    }

    /// The service confirms the objects of an earlier response.
    private func compareConfirmations(_ count: Int, from template: URL) async throws {
        let file = try turns.copy(template, "confirmed")
        defer { turns.remove(file) }
        let store = try ManagedObjectStore.tasks(at: file)
        defer { store.close() }
        let manager = manager(store)
        let tag = try await manager.load("tasks.json").response.headers["ETag"] ?? ""
        let repeats = 20
        try await turns.report(
            "confirm", count,
            [
                Turn("store") { _ in
                    for _ in 0..<repeats { try check(await manager.load("tasks.json").objectIDs.count == count) }
                },
                Turn("request") { _ in
                    for _ in 0..<repeats {
                        try check(await client.get("tasks.json", headers: ["If-None-Match": tag]).isNotModified)
                    }
                },
            ], from: nil, repeats: repeats)
    }

    /// An object is refreshed by a manager with 1,000 other routes and descriptors.
    private func compareSingleObjects(from template: URL) async throws {
        let (file, other) = (try turns.copy(template, "first"), try turns.copy(template, "second"))
        defer { for file in [file, other] { turns.remove(file) } }
        let (store, context) = (try ManagedObjectStore.tasks(at: file), ObjectContext(try .tasks(at: other)))
        let manager = manager(store)
        for number in 0..<1_000 {
            manager.router.add(named: "route \(number)", "/section\(number)/:id")
            manager.responses.add(ProjectTask.mapping, path: "/section\(number)/:id")
        }
        _ = try await manager.load("one.json")
        defer { store.close() }
        let shown = ObjectContext(store)
        defer { shown.reset() }
        guard let task = try await shown.fetch(ProjectTask.all).first else {
            throw Disagreement(description: "no task")
        }
        let repeats = 200
        try await turns.report(
            "object", repeats,
            [
                Turn("store") { _ in for _ in 0..<repeats { try await manager.get(task) } },
                Turn("request, map and save") { _ in
                    for _ in 0..<repeats {
                        _ = try await context.map(client.get("one.json").body, with: ProjectTask.mapping)
                        try await context.save()
                    }
                },
            ], from: nil, repeats: repeats)
        try await turns.report(
            "route", 1_000,
            [
                Turn("store") { _ in
                    for number in 0..<10_000 {
                        try check(manager.router.match("/section\(number % 1_000)/7") != nil)
                    }
                }
            ], from: nil, repeats: 10_000)
    }

    // MARK: Helpers

    func manager(_ store: ManagedObjectStore) -> ObjectManager {
        let manager = ObjectManager(client: client, store: store)
        manager.router.add(ProjectTask.self, "one.json")
        manager.responses.add(ProjectTask.mapping, path: "tasks.json")
        manager.responses.add(ProjectTask.mapping, path: "one.json")
        return manager
    }

    // MARK: Memory

    /// Loads the tasks of a service into a file, or only requests them.
    static func load(_ service: URL, into file: URL?) async throws {
        let client = RESTClient(baseURL: service)
        guard let file else { return _ = try await client.get("tasks.json") }
        let manager = ObjectManager(client: client, store: try .tasks(at: file))
        manager.responses.add(User.mapping, path: "users.json")
        manager.responses.add(Project.mapping, path: "projects.json")
        manager.responses.add(ProjectTask.mapping, path: "tasks.json")
        for path in ["users.json", "projects.json", "tasks.json"] { _ = try await manager.load(path) }
    }
}

/// What is read of a task to count it.
struct TaskKey: Decodable {
    enum CodingKeys: String, CodingKey { case taskID = "task_id" }

    let taskID: Int
}
