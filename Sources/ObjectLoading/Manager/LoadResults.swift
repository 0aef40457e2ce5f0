/// The results of a load, of which a policy gives one or two: the stored objects, then those of the server.
///
/// ```swift
/// for try await result in manager.load("/projects", policy: .localThenRemote) {
///     show(try result.objects(of: Project.self, in: context), isLoading: result.isLocal)
/// }
/// ```
///
/// With `.localThenRemote`, the first result has the stored objects. The request is sent while it is used, and the second
/// result has the objects of its response. If the request fails, the loop throws the error after the first result. A loop that
/// ends early cancels the request. All other policies have one result. Each loop is a separate load.
public struct LoadResults: AsyncSequence, Sendable {
    private let plan: @Sendable () throws -> LoadPlan

    init(_ plan: @escaping @Sendable () throws -> LoadPlan) { self.plan = plan }

    /// Returns an iterator, whose first call starts the load.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: .first(plan)) }

    /// An iterator over the results of a load.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate enum Step {
            case first(@Sendable () throws -> LoadPlan)
            case second(RemoteLoad)
            case end
        }

        fileprivate var step: Step

        /// Returns the next result; `nil` at the end.
        ///
        /// - Throws: Like `load(_:policy:)` of the manager.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> LoadResult? {
            let current = step
            step = .end
            switch current {
            case .first(let plan):
                let plan = try plan()
                guard plan.policy.source == .localThenRemote else { return try await plan.result() }
                let local = try await plan.local()
                if try await !plan.isFresh() { step = .second(RemoteLoad(plan)) }
                return local
            case .second(let load): return try await load.result()
            case .end: return nil
            }
        }
    }
}

/// A load that runs while the stored objects are used, and that is cancelled with its last reference.
private final class RemoteLoad: Sendable {
    private let task: Task<LoadResult, any Error>

    init(_ plan: LoadPlan) { task = Task { try await plan.remoteIfReachable() } }

    deinit { task.cancel() }

    func result() async throws -> LoadResult {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
