/// The objects of a query from the file or the remote of a store.
public struct FetchResult<Object: ManagedObjectClass> {
    /// The objects, in the order of the query.
    public let objects: [Object]
    /// Whether the remote has answered; `false` for the file alone.
    public let isFromRemote: Bool
}

/// An asynchronous sequence of the objects that the file has, and of those that the remote returns.
///
/// See ``ObjectContext/results(of:policy:)``.
public struct FetchResults<Object: ManagedObjectClass>: AsyncSequence {
    let context: ObjectContext
    let query: ObjectQuery<Object>
    let policy: FetchPolicy

    /// Returns an iterator, which is a separate fetch.
    public func makeAsyncIterator() -> Iterator { Iterator(context: context, query: query, policy: policy) }

    /// Waits for the results.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let context: ObjectContext
        fileprivate let query: ObjectQuery<Object>
        fileprivate let policy: FetchPolicy
        private var step = Step.file

        private enum Step {
            case file
            case remote(RemoteRequest, SharedTask<RemoteConnection.FetchedRows>)
            case end
        }

        fileprivate init(context: ObjectContext, query: ObjectQuery<Object>, policy: FetchPolicy) {
            (self.context, self.query, self.policy) = (context, query, policy)
        }

        /// Returns the next result; `nil` after the last one.
        ///
        /// - Throws: The errors of ``ObjectContext/fetch(_:policy:)``, after which it returns `nil`.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> FetchResult<Object>? {
            try await following()
        }

        /// Returns the next result; `nil` after the last one.
        ///
        /// - Throws: The errors of ``ObjectContext/fetch(_:policy:)``, after which it returns `nil`.
        nonisolated(nonsending) public mutating func next() async throws -> FetchResult<Object>? {
            try await following()
        }

        private nonisolated(nonsending) mutating func following() async throws -> FetchResult<Object>? {
            let current = step
            step = .end
            switch current {
            case .end: return nil
            case .remote(let request, let flight):
                let local = LocalFetch(query, try await request.answer(flight, context)?.range)
                return FetchResult(
                    objects: local.sorted(try await context.fetch(local.query)) { $0.row }, isFromRemote: true)
            case .file:
                guard policy.source == .localThenRemote else {
                    let request = try RemoteRequest(query, policy, .objects, context)
                    let objects = try await context.fetch(query, policy: policy)
                    return FetchResult(objects: objects, isFromRemote: request != nil)
                }
                let request = try RemoteRequest(query, policy, .objects, context)
                let known = await request?.knownAnswer
                // Begins while the file is read.
                if let request, known == nil { step = .remote(request, request.start()) }
                let local = LocalFetch(query, known?.range)
                return FetchResult(
                    objects: local.sorted(try await context.fetch(local.query)) { $0.row }, isFromRemote: false)
            }
        }
    }
}

extension ObjectContext {
    /// Returns the objects of a query as a sequence: with the policy `.localThenRemote`, those of the file at once, and those
    /// of the remote when it has answered.
    ///
    /// ```swift
    /// for try await result in context.results(of: Person.all, policy: .localThenRemote) {
    ///     show(result.objects)
    /// }
    /// ```
    ///
    /// The sequence has a single result with other policies, without a remote for the class, and if the last answer is not
    /// older than the maximum age of the policy. An error of the remote is thrown by the second step.
    ///
    /// - Parameters:
    ///   - query: The objects.
    ///   - policy: Where the objects are found.
    public func results<Object>(of query: ObjectQuery<Object>, policy: FetchPolicy) -> FetchResults<Object> {
        FetchResults(context: self, query: query, policy: policy)
    }
}
