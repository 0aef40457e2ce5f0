import MappingLog

/// How a load is sent, mapped and answered.
struct LoadOptions: Sendable {
    var owner: (any Hashable & Sendable)?
    var issues = MappingReport.Policy.fail
    /// `nil` for the default: `.remoteElseLocal` for a path with queries, `.remote` for others.
    var policy: FetchPolicy?
    /// `nil` for that of the policy.
    var pruning: Pruning?
    /// The object that a response with a body must have; `nil` for any.
    var expected: ExpectedObject?
    /// Whether the load fails while the host is not reachable, instead of waiting for the network.
    var endsOffline = false
    /// Called before the request is sent, if it is.
    var onRequest: (@Sendable () -> Void)?
}

/// A load by a policy.
struct LoadPlan: Sendable {
    let manager: ObjectManager
    let request: RESTRequest
    let options: LoadOptions
    let policy: FetchPolicy
    let pruning: Pruning
    /// The objects of the path in the store; `nil` without queries for it.
    let scope: OfflineScope?

    /// - Throws: `LoadError` if the policy or the pruning requires queries for the path, and none were added.
    init(_ manager: ObjectManager, _ request: RESTRequest, _ options: LoadOptions) throws(LoadError) {
        (self.manager, self.request, self.options) = (manager, request, options)
        scope = try manager.offlineScope(of: request)
        policy = options.policy ?? (scope == nil ? .remote : .remoteElseLocal)
        pruning = options.pruning ?? policy.pruning
        guard scope == nil else { return }
        let path = request.url.flatMap { relativePath(of: $0, to: manager.client.baseURL) } ?? "?"
        if policy.source != .remote || policy.maximumAge != nil {
            throw LoadError(noQueriesFor: path, to: "answer with stored objects")
        }
        if pruning.mode != .none { throw LoadError(noQueriesFor: path, to: "prune") }
    }

    /// Returns the result of the policy; with `.localThenRemote` the first one.
    func result() async throws -> LoadResult {
        switch policy.source {
        case .local: return try await local()
        case .localThenRemote:
            let result = try await local()
            if try await !isFresh() { loadLater() }
            return result
        case .remote, .remoteElseLocal:
            if try await isFresh() { return try await local() }
            guard policy.source == .remote else { return try await remoteElseLocal() }
            return options.endsOffline ? try await remoteIfReachable() : try await remote()
        }
    }

    private func loadLater() {
        Task {
            do { _ = try await remoteIfReachable() } catch {
                LogMessage.log(.objectLoading, .warning, "a load in the background failed: \(error)")
            }
        }
    }

    // MARK: The store

    /// Returns the stored objects.
    ///
    /// - Parameter error: The reason why the server did not answer. Defaults to `nil`.
    func local(insteadOf error: MappedRequestError? = nil) async throws -> LoadResult {
        guard let scope, let store = manager.store, let url = request.url else {
            throw LoadError(noQueriesFor: "", to: "answer with stored objects")
        }
        let ids = try await store.ids(scope.queries)
        let place = ResponseDescriptor.Place(
            url: url, method: .get, status: 200, baseURL: manager.client.baseURL)
        let descriptors = (try? manager.responses.matches(place, isError: false))?.descriptors ?? []
        let parts = zip(scope.queries, ids).map { query, ids in
            let type = ObjectIdentifier(query.objectType)
            let keyPath = descriptors.first { ObjectIdentifier($0.type) == type }?.keyPath ?? ""
            return LoadResult.Part(keyPath: keyPath, models: .objects(ids))
        }
        let response = RESTResponse(status: 0, headers: HTTPHeaders(), body: Data(), url: url, attempts: 0)
        var result = LoadResult(parts: parts, response: response, report: MappingReport())
        (result.isLocal, result.remoteError) = (true, error)
        return result
    }

    /// Whether the last response is not older than the policy allows, by the clock of the system.
    func isFresh() async throws -> Bool {
        guard let age = policy.maximumAge, let earlier = await manager.earlierLoad(by: request, of: nil),
            let record = earlier.record
        else { return false }
        let passed = manager.offline.now - record.time
        // A clock that was set back makes a response one of the future, whose age is unknown.
        return passed >= 0 && .milliseconds(passed) <= age
    }

    // MARK: The server

    /// Sends the request, and prunes after a complete response.
    func remote() async throws -> LoadResult {
        let (manager, request, options, scope, pruning) = (manager, request, options, scope, pruning)
        return try await manager.running {
            options.onRequest?()
            var result = try await manager.load(
                request, options.owner, options.issues, scope: scope, keepsAnswer: pruning.mode != .none,
                object: options.expected)
            if let scope, pruning.mode != .none {
                result.pruning = try await manager.prune(after: result, scope, pruning)
                // It retains the commits since the request began.
                result.answer = nil
            }
            return result
        }
    }

    /// Sends the request, and returns the stored objects if the server cannot be reached.
    private func remoteElseLocal() async throws -> LoadResult {
        do { return try await remoteIfReachable() } catch let error as MappedRequestError
            where error.isUnavailable && !Task.isCancelled
        { return try await local(insteadOf: error) }
    }

    /// Sends the request, and fails when the host is not reachable.
    func remoteIfReachable() async throws -> LoadResult {
        try await manager.whileReachable(request) { try await remote() }
    }
}

extension ObjectManager {
    /// Calls an operation with a request, and cancels it when the observer of the network reports that the host is not
    /// reachable.
    ///
    /// - Throws: The errors of the operation; `MappedRequestError` of kind `offline` if the host is not reachable.
    func whileReachable(
        _ request: RESTRequest, _ operation: @escaping @Sendable () async throws -> LoadResult
    ) async throws -> LoadResult {
        guard let observer = reachability else { return try await operation() }
        let offlineError = MappedRequestError(
            RequestError(.offline, "the host is not reachable", method: request.method, url: request.url))
        guard observer.state.isReachable else { throw offlineError }
        return try await withThrowingTaskGroup(of: LoadResult?.self) { group in
            group.addTask { try await operation() }
            group.addTask {
                for await state in observer.changes where !state.isReachable { return nil }
                return nil
            }
            defer { group.cancelAll() }
            if let result = try await group.next() ?? nil { return result }
            group.cancelAll()
            // A response that was already received is loaded nevertheless.
            do {
                if let result = try await group.next() ?? nil { return result }
            } catch let error as MappedRequestError where error.isCancelled && !Task.isCancelled {}
            throw offlineError
        }
    }
}

extension MappedRequestError {
    /// Whether the server cannot be reached, or a gateway cannot reach it: neither has answered the request.
    var isUnavailable: Bool {
        if let response { return [502, 503, 504].contains(response.status) }
        return isUnreachable
    }

    /// Whether the server cannot be reached.
    var isUnreachable: Bool {
        switch requestError?.kind {
        case .offline, .hostNotFound, .connectionRefused, .connectionFailed, .connectionLost, .connectTimedOut,
            .idleTimedOut, .timedOut, .backgroundTimedOut, .truncatedResponse, .proxyFailed:
            return true
        default: return false
        }
    }
}
