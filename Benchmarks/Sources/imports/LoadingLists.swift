import Foundation
import ObjectLoading
import ObjectStore
import RequestQueue

/// Stored objects of a path, pages, pruning and lists, with the texts that `Benchmarks/runner/loading.py` prepares.
extension LoadingComparison {
    func runLists() async throws {
        let template = folder.appending(path: "owned.sqlite")
        do {
            let store = try ManagedObjectStore.tasks(at: template)
            _ = try await store.importJSON(client.get("users.json").body, with: User.mapping)
            _ = try await store.importJSON(client.get("projects.json").body, with: Project.mapping)
            try store.checkpoint()
        }
        try await comparePages(from: template)
        let full = folder.appending(path: "full.sqlite")
        try FileManager.default.copyItem(at: template, to: full)
        let store = try ManagedObjectStore.tasks(at: full)
        _ = try await store.importJSON(client.get("tasks.json").body, with: ProjectTask.mapping)
        try store.checkpoint()
        try await compareFirstResults(in: store)
        try await reportPauses(of: store)
        store.close()
        try await comparePruning(from: full)
    }

    /// A run through all pages, whose bodies have the URLs of the next pages.
    private func comparePages(from template: URL) async throws {
        let pages = try await client.get("pages.txt").text.flatMap { Int($0.trimmingCharacters(in: .newlines)) } ?? 0
        try await turns.report(
            "pages", pages,
            [
                Turn("store") { file in
                    let store = try ManagedObjectStore.tasks(at: file)
                    let manager = ObjectManager(client: client, store: store)
                    manager.responses.add(ProjectTask.mapping, at: "tasks")
                    var count = 0
                    for try await _ in manager.pages("page1.json", .nextURL(at: "next")) { count += 1 }
                    try check(count == pages)
                    store.close()
                },
                Turn("requests and importJSON") { file in
                    let store = try ManagedObjectStore.tasks(at: file)
                    for number in 1...pages {
                        let body = try await client.get("page\(number).json").body
                        _ = try await store.importJSON(body, with: ProjectTask.mapping, at: "tasks")
                    }
                    store.close()
                },
            ], from: template)
    }

    /// The stored objects that a load gives before it sends its request.
    private func compareFirstResults(in store: ManagedObjectStore) async throws {
        let manager = manager(store)
        manager.offline.add("tasks.json") { _ in [ProjectTask.where { $0.done == true }] }
        let count = try await ObjectContext(store).count(ProjectTask.where { $0.done == true })
        try await turns.report(
            "first result", count,
            [
                Turn("store") { _ in
                    let context = ObjectContext(store)
                    let result = try await manager.load("tasks.json", policy: .local)
                    try check(result.objects(of: ProjectTask.self, in: context).count == count)
                },
                Turn("fetch") { _ in
                    let context = ObjectContext(store)
                    try check(await context.fetch(ProjectTask.where { $0.done == true }).count == count)
                },
            ], from: nil)
    }

    /// The longest time that the main actor is occupied while a list follows the change of one of its objects.
    private func reportPauses(of store: ManagedObjectStore) async throws {
        let list = ListModel(ProjectTask.all.sorted(by: \.name), in: store)
        while list.objects.isEmpty { await Task.yield() }
        var pauses: [Duration] = []
        for round in 0...rounds {
            let name = "renamed \(round)"
            let task = list.objects[list.objects.count / 2].managed.id
            let change = Task.detached {
                try await store.perform { context in
                    try context.object(with: task, as: ProjectTask.self).name = name
                    try context.save()
                }
            }
            var isShown = false
            list.onChange = { _ in isShown = true }
            let longest = await Turns.longestPause { isShown }
            try await change.value
            if round > 0 { pauses.append(longest) }
        }
        turns.show("pause", list.objects.count, [("store", pauses)])
    }

    /// A response without 100 of the stored objects.
    private func comparePruning(from full: URL) async throws {
        let kept = try await JSONDecoder().decode([TaskKey].self, from: client.get("fewer.json").body).map(\.taskID)
        let identities = String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)
        var times: [[Duration]] = [[], [], []]
        for round in 0...rounds {
            for (index, pruning) in [Pruning.scope, .none, .none].enumerated() {
                let file = try turns.copy(full, "turn")
                let store = try ManagedObjectStore.tasks(at: file)
                let manager = manager(store)
                manager.responses.add(ProjectTask.mapping, path: "fewer.json")
                manager.offline.add("fewer.json") { _ in [ProjectTask.all] }
                var start = ContinuousClock.now
                if index < 2 {
                    _ = try await manager.load("fewer.json", policy: .remote, pruning: pruning)
                } else {
                    let sql = #"DELETE FROM "Task" WHERE "taskID" NOT IN (SELECT value FROM json_each(?))"#
                    start = ContinuousClock.now
                    try store.write(sql: sql, arguments: [.text(identities)])
                }
                if round > 0 { times[index].append(.now - start) }
                try check(await ObjectContext(store).count(ProjectTask.all) == kept.count + (index == 1 ? 100 : 0))
                store.close()
                turns.remove(file)
            }
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        let (ours, statement) = ((medians[0] - medians[1]) / .nanoseconds(1), medians[2] / .nanoseconds(1))
        print("prune", kept.count + 100, "ns", "store=\(ours)", "DELETE=\(statement)", separator: "\t")
    }
}
