import Foundation
import ObjectMapping
import ObjectStore

/// A way to write payloads into a file, each in one transaction.
@MainActor protocol Writer {
    init(_ file: URL) throws
    func write(_ payload: Payload) async throws
}

/// A way that requires only the text of a payload.
@MainActor protocol BatchWriter: Writer {
    // Not asynchronous, so that it can call functions that are not asynchronous.
    func write(_ data: Data, _ kind: Payload.Kind) throws
}

extension BatchWriter {
    func write(_ payload: Payload) async throws { try write(payload.data, payload.kind) }
}

/// Rows without objects.
struct ImportWriter: Writer {
    private let store: ManagedObjectStore

    init(_ file: URL) throws { store = try .tasks(at: file) }

    func write(_ payload: Payload) async throws {
        switch payload.kind {
        case .users: _ = try await store.importJSON(payload.data, with: User.mapping)
        case .projects: _ = try await store.importJSON(payload.data, with: Project.mapping)
        case .tasks: _ = try await store.importJSON(payload.data, with: ProjectTask.mapping)
        }
    }
}

/// Objects in a context.
struct ContextWriter: BatchWriter {
    private let context: ObjectContext

    init(_ file: URL) throws { context = ObjectContext(try .tasks(at: file)) }

    func write(_ data: Data, _ kind: Payload.Kind) throws {
        switch kind {
        case .users: _ = try context.map(data, with: User.mapping)
        case .projects: _ = try context.map(data, with: Project.mapping)
        case .tasks: _ = try context.map(data, with: ProjectTask.mapping)
        }
        try context.save()
    }
}

/// Upserts of values in C arrays.
struct LoopWriter: Writer {
    private let file: SQLiteFile

    init(_ file: URL) throws { self.file = try SQLiteFile(path: file.path) }

    func write(_ payload: Payload) throws {
        try file.run("BEGIN IMMEDIATE")
        try file.write(payload.rows, payload.kind.table.upsert)
        try file.run("COMMIT")
    }
}

/// The C loop, and one UPDATE that finds the projects by their index.
struct WiringLoopWriter: Writer {
    private let file: SQLiteFile

    init(_ file: URL) throws { self.file = try SQLiteFile(path: file.path) }

    func write(_ payload: Payload) throws {
        try file.run("BEGIN IMMEDIATE")
        try file.write(payload.rows, payload.kind.table.upsert)
        try file.run(
            #"UPDATE "Task" SET "project" = (SELECT "_id" FROM "Project" WHERE "projectID" = "Task"."projectID") "#
                + #"WHERE +"project" IS NULL"#)
        try file.run("COMMIT")
    }
}
