import Dispatch
public import ObjectMapping
import Synchronization
import MappingSystemCalls

extension ManagedObjectStore {
    /// Imports the objects of a payload as rows, without creating them.
    ///
    /// ```swift
    /// let report = try await store.importJSON(data, with: ProjectTask.mapping, at: "tasks")
    /// print(report["ProjectTask"]?.inserted ?? 0)
    /// ```
    ///
    /// Rows are found by the identity of their class; rows with equal values are not written. An object of a class
    /// without identity becomes a new row. If the target of a connection does not exist yet, the connection is set when
    /// the target is imported, by this or a later import. A required object must be in the store at the end of the
    /// batch. `awakeFromInsert`, `willSave` and observers are not called. Contexts see the result at their next
    /// merge point; their unsaved changes remain.
    ///
    /// The payload is read on a separate thread. The mapping is compiled like in `validate(for: .rows)`.
    ///
    /// - Parameters:
    ///   - payload: The JSON.
    ///   - mapping: The mapping of the elements.
    ///   - keyPath: The key path of the collection. Defaults to the payload itself; a single object is one element.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - commit: When rows are committed. Defaults to `.once`: all of them or none.
    ///   - skipsInvalidElements: Whether elements with issues are skipped and counted. Defaults to `false`: the first
    ///     one ends the import.
    ///   - progress: Receives the report after each commit, on the thread of the import. Defaults to `nil`.
    /// - Returns: The numbers of written rows.
    /// - Throws: `ImportError` with the cause, its position and the committed rows; `CancellationError` if the task was
    ///   cancelled, after a rollback to the last commit.
    public func importJSON<Model: ManagedObjectClass>(
        _ payload: Data, with mapping: Mapping<Model>, at keyPath: JSONKeyPath = "",
        each shape: ElementShape = .element, commit: ImportCommit = .once, skipsInvalidElements: Bool = false,
        progress: (@Sendable (ImportReport) -> Void)? = nil
    ) async throws -> ImportReport {
        try await importing(commit, skipsInvalidElements, progress) { run throws in
            try run.read(with: mapping, at: keyPath, each: shape) { MemoryByteSource(payload) }
        }
    }

    /// Imports the objects of a file as rows, in bounded memory.
    ///
    /// A file with the extension `.gz` is decompressed while it is read. Otherwise it is imported like `Data`.
    ///
    /// - Parameters:
    ///   - file: The URL of a file.
    ///   - mapping: The mapping of the elements.
    ///   - keyPath: The key path of the collection. Defaults to the text itself.
    ///   - shape: How the elements are arranged. Defaults to `.line` for the extensions `.ndjson` and `.jsonl`, also
    ///     before `.gz`, and to `.element` for others.
    ///   - commit: When rows are committed. Defaults to `.once`: all of them or none.
    ///   - skipsInvalidElements: Whether elements with issues are skipped and counted. Defaults to `false`.
    ///   - progress: Receives the report after each commit, on the thread of the import. Defaults to `nil`.
    /// - Returns: The numbers of written rows.
    /// - Throws: `ImportError` with the cause, its position and the committed rows; `CancellationError` if the task was
    ///   cancelled, after a rollback to the last commit.
    public func importJSON<Model: ManagedObjectClass>(
        _ file: URL, with mapping: Mapping<Model>, at keyPath: JSONKeyPath = "", each shape: ElementShape? = nil,
        commit: ImportCommit = .once, skipsInvalidElements: Bool = false,
        progress: (@Sendable (ImportReport) -> Void)? = nil
    ) async throws -> ImportReport {
        try await importing(commit, skipsInvalidElements, progress) { run throws in
            let isCompressed = file.pathExtension.lowercased() == "gz"
            let shape = shape ?? (isCompressed ? file.deletingPathExtension() : file).shape
            try run.read(with: mapping, at: keyPath, each: shape) {
                let bytes = try FileByteSource(file)
                guard isCompressed else { return bytes }
                let limit = Gzip.longestText(
                    inFileOf: FileSystem.status(at: file.path).map { Int(clamping: $0.st_size) } ?? 0)
                return try GzipByteSource(bytes, name: file.lastPathComponent, longestText: limit) { failure in
                    StreamFileError(url: file, cause: failure.description)
                }
            }
        }
    }

    /// Imports the objects of a payload in chunks as rows.
    ///
    /// ```swift
    /// let response = try await client.request(.get, "/export").stream()
    /// let report = try await store.importJSON(response.body, with: ProjectTask.mapping, at: "tasks")
    /// ```
    ///
    /// The chunks are collected in a temporary file, which is imported after the last one was received: the store is
    /// not locked while a server sends. For an endless text, read `mapping.stream(from:)` and import parts of it.
    ///
    /// - Parameters:
    ///   - chunks: A sequence of `Data` or `[UInt8]`; elements can be split at any byte.
    ///   - mapping: The mapping of the elements.
    ///   - keyPath: The key path of the collection. Defaults to the text itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - commit: When rows are committed. Defaults to `.once`: all of them or none.
    ///   - skipsInvalidElements: Whether elements with issues are skipped and counted. Defaults to `false`.
    ///   - progress: Receives the report after each commit, on the thread of the import. Defaults to `nil`.
    /// - Returns: The numbers of written rows.
    /// - Throws: `ImportError` with the cause, its position and the committed rows; `CancellationError` if the task was
    ///   cancelled, after a rollback to the last commit.
    nonisolated(nonsending) public func importJSON<Model: ManagedObjectClass, Chunks: AsyncSequence>(
        _ chunks: Chunks, with mapping: Mapping<Model>, at keyPath: JSONKeyPath = "",
        each shape: ElementShape = .element, commit: ImportCommit = .once, skipsInvalidElements: Bool = false,
        progress: (@Sendable (ImportReport) -> Void)? = nil
    ) async throws -> ImportReport where Chunks.Element: ContiguousBytes {
        let collected: CollectedChunks
        do {
            collected = try CollectedChunks()
            for try await chunk in chunks { try collected.append(chunk) }
            // Many sequences end when their task is cancelled: that is not the end of the text.
            try Task.checkCancellation()
        } catch {
            guard !(error is CancellationError) else { throw error }
            throw ImportError(error, committed: ImportReport(entities: entities.map(\.name)))
        }
        // The file is deleted with the last reference.
        defer { withExtendedLifetime(collected) {} }
        return try await importJSON(
            collected.url, with: mapping, at: keyPath, each: shape, commit: commit,
            skipsInvalidElements: skipsInvalidElements, progress: progress)
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
