/// The objects of a query from the file or the remote of a store.
public struct FetchResult<Object: ManagedObjectClass> {
    /// The objects, in the order of the query.
    public let objects: [Object]
    /// Whether these are the objects of the file, without an answer of the remote.
    public let isLocal: Bool
    /// The reason why the remote gave no answer, with the policy `.remoteElseLocal`; otherwise `nil`.
    public let remoteError: RemoteError?
}

/// The results of a fetch, of which a policy gives one or two: the objects of the file, then those of the remote.
///
/// ```swift
/// for try await result in context.fetch(Person.all, policy: .localThenRemote) {
///     show(result.objects, isLoading: result.isLocal)
/// }
/// ```
///
/// With `.localThenRemote`, the first result has the objects of the file. The remote is asked while it is used, and the second
/// result has its objects. If it gives no answer, the loop throws the error after the first result. All other policies have
/// one result, and so have entities that the remote does not have, and answers within the maximum age of the policy. Each
/// loop is a separate fetch.
public struct FetchResults<Object: ManagedObjectClass>: AsyncSequence {
    let context: ObjectContext
    let query: ObjectQuery<Object>
    let policy: FetchPolicy

    /// Returns an iterator, whose first call starts the fetch.
    public func makeAsyncIterator() -> Iterator { Iterator(context: context, query: query, policy: policy) }

    /// An iterator over the results of a fetch.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Step {
            case first
            case second(RemoteRequest, SharedTask<RemoteConnection.FetchedRows>)
            case end
        }

        private let context: ObjectContext
        private let query: ObjectQuery<Object>
        private let policy: FetchPolicy
        private var step = Step.first

        fileprivate init(context: ObjectContext, query: ObjectQuery<Object>, policy: FetchPolicy) {
            (self.context, self.query, self.policy) = (context, query, policy)
        }

        /// Returns the next result; `nil` at the end.
        ///
        /// - Throws: The errors of `fetch(_:policy:)` of the context, after which it returns `nil`.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> FetchResult<Object>? {
            try await following()
        }

        /// Returns the next result; `nil` at the end.
        ///
        /// - Throws: Like `next(isolation:)`.
        nonisolated(nonsending) public mutating func next() async throws -> FetchResult<Object>? {
            try await following()
        }

        private nonisolated(nonsending) mutating func following() async throws -> FetchResult<Object>? {
            let current = step
            step = .end
            switch current {
            case .end: return nil
            case .second(let request, let flight):
                let answer = try await request.answer(flight, context)
                return try await result(answer.rows, isLocal: answer.rows == nil, answer.error)
            case .first:
                guard let request = try RemoteRequest(query, policy, .objects, context) else {
                    return try await result(nil, isLocal: true)
                }
                if let known = await request.knownAnswer { return try await result(known, isLocal: true) }
                if policy.source == .localThenRemote {
                    // Started later, so that the answer is not in the file before the first result is read.
                    let local = try await result(nil, isLocal: true)
                    step = .second(request, request.start())
                    return local
                }
                let answer = try await request.answer(request.start(), context)
                return try await result(answer.rows, isLocal: answer.rows == nil, answer.error)
            }
        }

        private nonisolated(nonsending) func result(
            _ rows: RemoteConnection.FetchedRows?, isLocal: Bool, _ error: RemoteError? = nil
        ) async throws -> FetchResult<Object> {
            let local = LocalFetch(query, rows?.range)
            let objects = local.sorted(try await context.fetch(local.query)) { $0.row }
            return FetchResult(objects: objects, isLocal: isLocal, remoteError: error)
        }
    }
}

extension ObjectContext {
    /// Returns the results of a query by a policy, for a loop; see ``FetchResults``.
    ///
    /// - Parameters:
    ///   - query: The objects.
    ///   - policy: Where the objects are found.
    public func fetch<Object>(_ query: ObjectQuery<Object>, policy: FetchPolicy) -> FetchResults<Object> {
        FetchResults(context: self, query: query, policy: policy)
    }
}
