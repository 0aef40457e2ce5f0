import Foundation
import ObjectMapping
import ObjectStore

/// Migrations, search, objects without classes and seed upgrades, compared with statements of SQLite and with the same work
/// without them.
@MainActor struct LifecycleComparison {
    let data: URL
    let turns: Turns

    init(_ data: URL, _ folder: URL, rounds: Int) throws {
        self.data = data
        turns = try Turns(folder, rounds: rounds)
    }

    /// Runs the cases.
    ///
    /// - Parameters:
    ///   - count: The number of rows that are migrated.
    ///   - name: The only case that runs, for profilers; `nil` for all.
    func run(_ count: Int, only name: String?) async throws {
        let file = turns.folder.appending(path: "tasks.sqlite")
        try await read(into: file)
        let cases: [(name: String, run: () async throws -> Void)] = [
            ("migrations", { try await compareMigrations(count) }), ("searches", compareSearches),
            ("names", { try await compareNames(file) }), ("upgrades", { try await compareUpgrades(file) }),
            ("observations", { try await compareObservations(file) }), ("commits", { try await compareCommits(file) }),
        ]
        for found in cases where name == nil || name == found.name { try await found.run() }
    }

    /// Imports the texts into a file.
    private func read(into file: URL) async throws {
        let store = try ManagedObjectStore.tasks(at: file)
        _ = try await store.importJSON(data.appending(path: "users.json"), with: User.mapping)
        _ = try await store.importJSON(data.appending(path: "projects.json"), with: Project.mapping)
        _ = try await store.importJSON(data.appending(path: "tasks.json"), with: ProjectTask.mapping)
        try store.checkpoint()
        store.close()
    }

    // MARK: Migrations

    private func compareMigrations(_ count: Int) async throws {
        let file = turns.folder.appending(path: "items.sqlite")
        try ManagedObjectStore(at: file, model: Release1.model()).close()
        try SQLiteFile(path: file.path).run(
            """
            INSERT INTO "Item"("itemID", "name", "hours", "done")
            WITH RECURSIVE "n"("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < \(count))
            SELECT "i", 'item ' || "i", "i" % 40, "i" % 2 FROM "n";
            PRAGMA wal_checkpoint(TRUNCATE)
            """)
        func opening(_ name: String, _ model: ObjectModel) -> Turn {
            Turn(name) { file in try ManagedObjectStore(at: file, model: model).close() }
        }
        func running(_ sql: String) -> Turn { Turn("SQLite") { file in try SQLiteFile(path: file.path).run(sql) } }
        try await turns.report(
            "attribute", count,
            [
                opening("store", try Release2.model()), opening("open without a change", try Release1.model()),
                running(#"ALTER TABLE "Item" ADD COLUMN "priority" INTEGER NOT NULL DEFAULT 3"#),
            ], from: file)
        try await turns.report(
            "conversion", count,
            [
                opening("store", try Release3.model()),
                running(
                    """
                    BEGIN;
                    CREATE TABLE "new"("_id" INTEGER PRIMARY KEY, "itemID" INTEGER, "name" TEXT NOT NULL,
                        "hours" REAL NOT NULL, "done" INTEGER NOT NULL);
                    INSERT INTO "new" SELECT "_id", "itemID", "name", "hours", "done" FROM "Item";
                    DROP TABLE "Item";
                    ALTER TABLE "new" RENAME TO "Item";
                    CREATE UNIQUE INDEX "new_index" ON "Item"("itemID");
                    COMMIT
                    """),
            ], from: file)
    }

    // MARK: Search

    private func compareSearches() async throws {
        let (empty, full) = (turns.folder.appending(path: "memos.sqlite"), turns.folder.appending(path: "full.sqlite"))
        let text = try Data(contentsOf: data.appending(path: "tasks.json"))
        let rows = try PreparedRows(text, .task)
        try ManagedObjectStore(at: empty, model: Memo.model()).close()
        try await turns.report(
            "searchable", rows.count,
            [
                Turn("store") { file in
                    let store = try ManagedObjectStore(at: file, model: Memo.model())
                    _ = try await store.importJSON(text, with: Memo.mapping)
                    store.close()
                },
                Turn("SQLite, index built afterwards") { file in
                    let loop = try SQLiteFile(path: file.path)
                    try loop.run(
                        #"""
                        BEGIN;
                        CREATE TABLE "other"("_id" INTEGER PRIMARY KEY, "taskID" INTEGER UNIQUE, "name" TEXT NOT NULL);
                        CREATE VIRTUAL TABLE "words" USING fts5("name", content='other', content_rowid='_id',
                            tokenize='unicode61 remove_diacritics 2')
                        """#)
                    try loop.write(rows, #"INSERT INTO "other"("taskID", "name") VALUES(?1, ?2)"#)
                    try loop.run(#"INSERT INTO "words"("words") VALUES('rebuild'); COMMIT"#)
                },
                Turn("SQLite, index kept by triggers") { file in
                    let loop = try SQLiteFile(path: file.path)
                    try loop.run("BEGIN")
                    try loop.write(rows, #"INSERT INTO "Memo"("taskID", "name") VALUES(?1, ?2)"#)
                    try loop.run("COMMIT")
                },
            ], from: empty)
        try FileManager.default.copyItem(at: empty, to: full)
        let store = try ManagedObjectStore(at: full, model: Memo.model())
        defer { store.close() }
        _ = try await store.importJSON(text, with: Memo.mapping)
        let context = ObjectContext(store)
        let memos = try await context.fetch(Memo.all.limit(1))
        let word = memos.first?.name.split(separator: " ").last.map(String.init) ?? ""
        let query = Memo.where { $0.search(word) }
        let count = try await context.ids(query).count
        let loop = try SQLiteFile(path: full.path)
        let index = #""_mappingkit_Memo_search""#
        try await turns.report(
            "search", count,
            [
                Turn("store") { _ in try check(await context.ids(query).count == count) },
                Turn("SQLite") { _ in
                    _ = try loop.checksum(of: "SELECT rowid FROM \(index) WHERE \(index) MATCH '\(word)' ORDER BY rank")
                },
            ])
    }

    // MARK: Objects without classes

    private func compareNames(_ file: URL) async throws {
        let store = try ManagedObjectStore.tasks(at: file)
        let dynamic = try await ManagedObjectStore.open(at: turns.copy(file, "dynamic"))
        defer { for store in [store, dynamic] { store.close() } }
        let count = try await ObjectContext(store).count(ProjectTask.all)
        try await turns.report(
            "names", count,
            [
                Turn("store") { _ in try check(await ObjectContext(dynamic).fetch("Task").count == count) },
                Turn("typed fetch") { _ in try check(await ObjectContext(store).fetch(ProjectTask.all).count == count)
                },
            ])
    }

    // MARK: Seed upgrades

    /// One of 100 objects differs in the new seed, and the user has changed another one.
    private func compareUpgrades(_ file: URL) async throws {
        let (first, second) = (try turns.copy(file, "first"), try turns.copy(file, "second"))
        try SQLiteFile(path: second.path).run(
            #"UPDATE "Task" SET "name" = "name" || '.' WHERE "_id" % 100 = 0; PRAGMA wal_checkpoint(TRUNCATE)"#)
        let user = turns.folder.appending(path: "user.sqlite")
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let store = try await ManagedObjectStore.open(at: user, model: .tasks(), seed: first, options: options)
        let count = try await store.perform { context in
            for task in try context.fetch(ProjectTask.all) where task.taskID % 100 == 1 { task.cost += 1 }
            try context.save()
            return try context.count(ProjectTask.all)
        }
        try store.checkpoint()
        store.close()
        try await turns.report(
            "upgrade", count,
            [
                Turn("store", from: user) { file in
                    let store = try ManagedObjectStore.tasks(at: file)
                    try check(await !store.upgradeSeed(to: second).isUpToDate)
                    store.close()
                },
                Turn("import into an empty store") { file in
                    let imported = file.appending(path: "imported.sqlite")
                    try await read(into: imported)
                    turns.remove(imported)
                },
            ])
    }
}

/// The model before, and after an attribute was added or another type.
private enum Release1 {
    final class Item: ManagedObject {
        @Stored(.identity) var itemID = 0
        @Stored var name = ""
        @Stored var hours = 0
        @Stored var done = false
    }

    static func model() throws -> ObjectModel { try ObjectModel(Item.self) }
}

private enum Release2 {
    final class Item: ManagedObject {
        @Stored(.identity) var itemID = 0
        @Stored var name = ""
        @Stored var hours = 0
        @Stored var done = false
        @Stored var priority = 3
    }

    static func model() throws -> ObjectModel { try ObjectModel(Item.self) }
}

private enum Release3 {
    final class Item: ManagedObject {
        @Stored(.identity) var itemID = 0
        @Stored var name = ""
        @Stored var hours = 0.0
        @Stored var done = false
    }

    static func model() throws -> ObjectModel { try ObjectModel(Item.self) }
}

private final class Memo: ManagedObject, Mappable {
    @Stored(.identity) var taskID = 0
    @Stored(.searchable) var name = ""

    static let mapping = Mapping(Memo.self) {
        Attribute("task_id", \.taskID)
        Attribute("name", \.name)
    }

    static func model() throws -> ObjectModel { try ObjectModel(Memo.self) }
}
