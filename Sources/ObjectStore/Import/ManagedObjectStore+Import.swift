import Dispatch
public import ObjectMapping
import Synchronization

extension ManagedObjectStore {
    /// Imports the objects of a payload as rows, without creating them.
    ///
    /// ```swift
    /// let report = try await store.importJSON(data, with: ProjectTask.mapping, at: "tasks")
    /// print(report["ProjectTask"]?.inserted ?? 0)
    /// ```
    ///
    /// Rows are found by the identity of their class; rows with equal values are not written. A connection whose target does
    /// not exist yet is set when the target is imported, by this or a later import. `awakeFromInsert`, `willSave` and
    /// observers are not called. Contexts see the result at their next fetch, `map` or save; unsaved changes stay.
    ///
    /// The payload is read on a separate thread. The mapping is compiled as by `validate(for: .rows)`.
    ///
    /// - Parameters:
    ///   - payload: The JSON.
    ///   - mapping: The mapping of the elements.
    ///   - keyPath: The location of the collection. Defaults to the payload itself; one object gives one element.
    ///   - commit: When rows are committed. Defaults to `.once`: all of them or none.
    ///   - skipsInvalidElements: Whether elements with issues are left out and counted. Defaults to `false`: the first one
    ///     ends the import.
    ///   - progress: Receives the report after each commit, on the thread of the import. Defaults to `nil`.
    /// - Returns: The number of rows that were written.
    /// - Throws: `ImportError` with the cause, its position and what was committed; `CancellationError` if the task was
    ///   cancelled, after a rollback to the last commit.
    public func importJSON<Model: ManagedObject>(
        _ payload: Data, with mapping: Mapping<Model>, at keyPath: JSONKeyPath = "", commit: ImportCommit = .once,
        skipsInvalidElements: Bool = false, progress: (@Sendable (ImportReport) -> Void)? = nil
    ) async throws -> ImportReport {
        try await importing(commit, skipsInvalidElements, progress) { run throws in
            try run.read(MemoryByteSource(payload), with: mapping, at: keyPath, each: .element)
        }
    }

    /// Imports the objects of a file as rows, in memory that does not grow with the file.
    ///
    /// A file that ends in `.ndjson` or `.jsonl` has one element per line. Apart from that it is imported like `Data`.
    ///
    /// - Parameters:
    ///   - file: URL of a file.
    ///   - mapping: The mapping of the elements.
    ///   - keyPath: The location of the collection. Defaults to the text itself.
    ///   - commit: When rows are committed. Defaults to `.once`: all of them or none.
    ///   - skipsInvalidElements: Whether elements with issues are left out and counted. Defaults to `false`.
    ///   - progress: Receives the report after each commit, on the thread of the import. Defaults to `nil`.
    /// - Returns: The number of rows that were written.
    /// - Throws: `ImportError` with the cause, its position and what was committed; `CancellationError` if the task was
    ///   cancelled, after a rollback to the last commit.
    public func importJSON<Model: ManagedObject>(
        _ file: URL, with mapping: Mapping<Model>, at keyPath: JSONKeyPath = "", commit: ImportCommit = .once,
        skipsInvalidElements: Bool = false, progress: (@Sendable (ImportReport) -> Void)? = nil
    ) async throws -> ImportReport {
        try await importing(commit, skipsInvalidElements, progress) { run throws in
            try run.read(FileByteSource(file), with: mapping, at: keyPath, each: file.shape)
        }
    }

    private func importing(
        _ commit: ImportCommit, _ skipsInvalidElements: Bool, _ progress: (@Sendable (ImportReport) -> Void)?,
        _ body: @escaping @Sendable (ImportRun) throws -> Void
    ) async throws -> ImportReport {
        let cancellation = ImportCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Not the queue of saves, which must not wait for all batches of an import.
                DispatchQueue(label: "MappingKit.ManagedObjectStore.import").async {
                    let run = ImportRun(self, commit, skipsInvalidElements, progress, cancellation)
                    continuation.resume(
                        with: Result {
                            try body(run)
                            return run.report
                        })
                }
            }
        } onCancel: {
            cancellation.isCancelled.store(true, ordering: .relaxed)
        }
    }
}

/// Whether the task of an import was cancelled.
final class ImportCancellation: Sendable {
    let isCancelled = Atomic(false)

    func check() throws {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
