/// The outcomes of several loads, in the order of their paths.
///
/// ```swift
/// let batch = await manager.loadAll(["/projects", "/users"])
/// for failure in batch.failures { print(failure) }
/// let projects = try batch.objects(of: Project.self, in: context)
/// ```
public struct LoadBatch: Sendable {
    /// The failure of one load.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The path.
        public let path: String
        /// The reason: an error of ``ObjectManager/load(_:method:query:headers:owner:policy:pruning:)``.
        public let error: any Error

        /// The path without its query, and the reason.
        public var description: String { "\(path.prefix { $0 != "?" }): \(error)" }
    }

    /// The result or the failure of each path.
    public let outcomes: [Result<LoadResult, Failure>]

    /// The results of the loads that succeeded.
    public var results: [LoadResult] { outcomes.compactMap { try? $0.get() } }

    /// The failures of the other loads; empty if all succeeded.
    public var failures: [Failure] {
        outcomes.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
    }

    /// Returns all results.
    ///
    /// - Throws: The first failure, if there is one.
    public func get() throws(Failure) -> [LoadResult] {
        if let failure = failures.first { throw failure }
        return results
    }

    /// The IDs of all managed objects that were loaded.
    public var objectIDs: [ObjectID] { results.flatMap(\.objectIDs) }

    /// Returns the managed objects of a class that were loaded, in a context.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - context: The context.
    /// - Throws: `StoreError` if the objects cannot be read.
    public func objects<Object: ManagedObjectClass>(
        of type: Object.Type, in context: ObjectContext
    ) throws(StoreError) -> [Object] {
        try context.objects(in: results.flatMap(\.managed), as: type)
    }
}

extension LoadBatch.Failure: LocalizedError {
    /// The `description`.
    public var errorDescription: String? { description }
}
