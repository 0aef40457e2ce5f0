import Foundation
import ObjectLoading
import ObjectMapping
import ObjectStore
import RequestQueue

/// Fetches from a store with a remote, compared with the same loads and fetches without one.
extension LoadingComparison {
    func compareRemotes(_ count: Int, from template: URL) async throws {
        let remote = try await prepared(RESTStore(client: client).adding(ProjectTask.self), from: template, "rest")
        try await compareFetches(count, from: template, remote)
        try await compareLocalFetches(count, from: template, remote)
        try await compareFolders(from: template)
    }

    /// Objects of a response are written into a file that has none of them, and fetched.
    private func compareFetches(_ count: Int, from template: URL, _ opened: URL) async throws {
        let loaders = [
            Turn("store", from: opened) { file in
                let store = try await open(file, RESTStore(client: client).adding(ProjectTask.self))
                let tasks = try await ObjectContext(store).fetch(ProjectTask.all, policy: .remote)
                try check(tasks.count == count)
                store.close()
            },
            Turn("load and fetch") { file in
                let store = try ManagedObjectStore.tasks(at: file)
                _ = try await manager(store).load("tasks.json")
                try check(await ObjectContext(store).fetch(ProjectTask.all).count == count)
                store.close()
            },
        ]
        try await turns.report("remote fetch", count, loaders, from: template)
    }

    /// A fetch that the file answers.
    private func compareLocalFetches(_ count: Int, from template: URL, _ opened: URL) async throws {
        let (with, without) = (try turns.copy(opened, "with"), try turns.copy(template, "without"))
        let remote = try await open(with, RESTStore(client: client).adding(ProjectTask.self))
        _ = try await ObjectContext(remote).fetch(ProjectTask.all, policy: .remote)
        let plain = try ManagedObjectStore.tasks(at: without)
        _ = try await manager(plain).load("tasks.json")
        defer { for file in [with, without] { turns.remove(file) } }
        let repeats = 10
        func fetching(_ name: String, _ store: ManagedObjectStore) -> Turn {
            Turn(name) { _ in
                for _ in 0..<repeats {
                    try check(await ObjectContext(store).fetch(ProjectTask.all, policy: .local).count == count)
                }
            }
        }
        let fetch = Turn("fetch without remote") { _ in
            for _ in 0..<repeats { try check(await ObjectContext(plain).fetch(ProjectTask.all).count == count) }
        }
        try await turns.report("local fetch", count, [fetching("store", remote), fetch], from: nil, repeats: repeats)
        remote.close()
        plain.close()
    }

    /// Files of JSON are the remote of a store.
    private func compareFolders(from template: URL) async throws {
        let files = folder.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let tasks = try await JSON(client.get("tasks.json").body).array ?? []
        let count = min(tasks.count, 1_000)
        for (number, task) in tasks.prefix(count).enumerated() {
            try task.data.write(to: files.appending(path: "\(number).json"))
        }
        let remote = TaskFolder(url: files)
        let opened = try await prepared(remote, from: template, "folder")
        let loaders = [
            Turn("store", from: opened) { file in
                let store = try await open(file, remote)
                try check(await ObjectContext(store).fetch(ProjectTask.all, policy: .remote).count == count)
                store.close()
            },
            Turn("files and importJSON") { file in
                let store = try ManagedObjectStore.tasks(at: file)
                _ = try await store.importJSON(remote.body(), with: ProjectTask.mapping)
                try check(await ObjectContext(store).fetch(ProjectTask.all).count == count)
                store.close()
            },
        ]
        try await turns.report("folder", count, loaders, from: template)
    }

    // MARK: Files

    /// Returns a file that belongs to a remote, which opening writes once.
    private func prepared(_ remote: some IncrementalStore, from template: URL, _ name: String) async throws -> URL {
        let file = try turns.copy(template, name)
        let store = try await open(file, remote)
        try store.checkpoint()
        store.close()
        return file
    }

    private func open(_ file: URL, _ remote: some IncrementalStore) async throws -> ManagedObjectStore {
        try await ManagedObjectStore.open(at: file, model: .tasks(), remote: remote)
    }
}

extension RESTStore {
    fileprivate func adding(_ type: ProjectTask.Type) -> RESTStore {
        add(type, path: "tasks.json")
        manager.responses.add(ProjectTask.mapping, path: "tasks.json")
        return self
    }
}

/// A folder with a file for each task.
private struct TaskFolder: IncrementalStore {
    let url: URL

    /// Returns the files as one list.
    func body() throws -> Data {
        var body = Data("[".utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
            if body.count > 1 { body.append(UInt8(ascii: ",")) }
            body.append(try Data(contentsOf: url.appending(path: name)))
        }
        body.append(UInt8(ascii: "]"))
        return body
    }

    func metadata() -> RemoteMetadata {
        RemoteMetadata(typeName: "TaskFolder", identifier: url.path, entities: ["Task"])
    }

    func fetch(_ fetch: RemoteFetch) throws -> RemoteObjects {
        RemoteObjects(try body(), with: ProjectTask.mapping, isComplete: true)
    }

    func save(_ change: RemoteChange) throws -> RemoteOutcome { .refused(RemoteRefusal("read only")) }
}
