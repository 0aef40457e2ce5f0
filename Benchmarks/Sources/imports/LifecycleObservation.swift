import Foundation
import ObjectStore

#if GRDB
    import GRDB
#endif

/// Observed queries, compared with fetching again and with the observations of GRDB.
extension LifecycleComparison {
    /// A list of all objects, of which another context changes one.
    func compareObservations(_ file: URL) async throws {
        let store = try ManagedObjectStore.tasks(at: turns.copy(file, "observed"))
        defer { store.close() }
        let query = ProjectTask.all.sorted(by: \.name)
        let list = ObservedTasks()
        let observer = Task { try await list.follow(query, in: store.mainContext) }
        _ = await Turns.longestPause { list.steps > 0 }
        var (pauses, delays, fetches): ([Duration], [Duration], [Duration]) = ([], [], [])
        for round in 0...turns.rounds {
            let (id, steps) = (list.objects[list.objects.count / 2].managed.id, list.steps)
            let commit = Task.detached {
                try await store.perform { context in
                    try context.object(with: id, as: ProjectTask.self).name = "renamed \(round)"
                    try context.save()
                    return ContinuousClock.now
                }
            }
            let pause = await Turns.longestPause { list.steps > steps }
            let delay = list.time - (try await commit.value)
            let start = ContinuousClock.now
            try check(await store.mainContext.fetch(query).count == list.objects.count)
            if round > 0 {
                pauses.append(pause)
                delays.append(delay)
                fetches.append(.now - start)
            }
        }
        turns.show("observed", list.objects.count, [("store", delays), ("fetch", fetches)])
        turns.show("observed pause", list.objects.count, [("store", pauses)])
        observer.cancel()
        _ = try? await observer.value
    }

    /// 1,000 commits of one object, with and without ten observers of the objects of ten projects.
    func compareCommits(_ file: URL) async throws {
        let count = 1_000
        try await turns.report(
            "commits", count,
            [
                Turn("store") { file in try await Self.commit(count, file, observers: 10) },
                Turn("without observers") { file in try await Self.commit(count, file, observers: 0) },
            ], from: file)
        #if GRDB
            // Its observations fetch after each of them.
            let few = 50
            try await turns.report(
                "commits of GRDB", few,
                [
                    Turn("store") { file in try await Self.commitWithGRDB(few, file, observers: 10) },
                    Turn("without observers") { file in try await Self.commitWithGRDB(few, file, observers: 0) },
                ], from: file)
        #endif
    }

    private static func commit(_ count: Int, _ file: URL, observers: Int) async throws {
        let store = try ManagedObjectStore.tasks(at: file)
        let lists = (0..<observers).map { _ in ObservedTasks() }
        let tasks = lists.enumerated().map { number, list in
            Task {
                try await list.follow(ProjectTask.where { $0.project.projectID == number + 1 }, in: store.mainContext)
            }
        }
        _ = await Turns.longestPause { lists.allSatisfy { $0.steps > 0 } }
        try await store.perform { context in
            let tasks = try context.fetch(ProjectTask.all.sorted(by: \.taskID).limit(count))
            for task in tasks {
                task.cost += 1
                try context.save()
            }
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = try? await task.value }
        store.close()
    }

    #if GRDB
        private static func commitWithGRDB(_ count: Int, _ file: URL, observers: Int) async throws {
            let ofProject =
                #"SELECT * FROM "Task" WHERE "project" = (SELECT "_id" FROM "Project" WHERE "projectID" = ?)"#
            let pool = try DatabasePool(path: file.path)
            let received = Received()
            let observations = (0..<observers).map { number in
                ValueObservation.tracking { db in
                    try TaskRecord.fetchAll(db, sql: ofProject, arguments: [number + 1])
                }.start(
                    in: pool, scheduling: .async(onQueue: .main), onError: { _ in },
                    onChange: { _ in MainActor.assumeIsolated { received.count += 1 } })
            }
            _ = await Turns.longestPause { received.count >= observers }
            try await Task.detached {
                let rows = try await pool.read {
                    try Int64.fetchAll(
                        $0, sql: #"SELECT "_id" FROM "Task" ORDER BY "taskID" LIMIT ?"#, arguments: [count])
                }
                for row in rows {
                    try await pool.write {
                        try $0.execute(sql: #"UPDATE "Task" SET "cost" = "cost" + 1 WHERE "_id" = ?"#, arguments: [row])
                    }
                }
            }.value
            for observation in observations { observation.cancel() }
            try pool.close()
        }
    #endif
}

/// A list that follows a query.
@MainActor private final class ObservedTasks {
    private(set) var objects: [ProjectTask] = []
    private(set) var steps = 0
    /// The time of the last step.
    private(set) var time = ContinuousClock.now

    func follow(_ query: ObjectQuery<ProjectTask>, in context: ObjectContext) async throws {
        for try await change in context.observe(query) {
            (objects, time) = (change.objects, .now)
            steps += 1
        }
    }
}

#if GRDB
    private struct TaskRecord: Codable, FetchableRecord {
        let taskID: Int
        let name: String
        let projectID: Int
        let assignedUserID: Int?
        let createdAt: String
        let tags: String
        let done: Bool
        let cost: Double
    }
#endif

/// The number of values that observations have delivered.
@MainActor private final class Received { var count = 0 }
