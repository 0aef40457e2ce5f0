/// An object that ``ObjectManager/sendUnsent(in:headers:owner:)`` has sent, with the outcome.
public struct SentObject: Sendable {
    /// The ID of the object.
    public let id: ObjectID
    /// The result of `post` or `patch`, or the reason why the server has not accepted the object.
    public let outcome: Result<LoadResult, any Error>

    /// The reason why the server has not accepted the object; `nil` after a success.
    public var error: (any Error)? { if case .failure(let error) = outcome { error } else { nil } }
}

extension SentObject: CustomStringConvertible {
    /// The ID and the outcome, such as `Task/7: saved`, or the reason of a failure.
    public var description: String {
        switch outcome {
        case .success(let result): "\(id): \(result.outcome)"
        case .failure(let error): "\(id): \(error)"
        }
    }
}

extension ObjectManager {
    // MARK: Unsent objects

    /// Sends the saved objects that the server has not accepted, one after the other.
    ///
    /// ```swift
    /// for sent in try await manager.sendUnsent(in: context) {
    ///     if let error = sent.error { print(sent.id, error) }
    /// }
    /// ```
    ///
    /// These are the objects that `unsentObjects()` of the context lists: those that were never sent are sent by `post`, and the
    /// edits of others by `patch`, with their unsaved changes. A failure does not stop the others;
    /// after a cancellation, the remaining objects fail without a request. An object that refers to a new one is sent after
    /// that one, and fails with its error. Edits that no request descriptor writes are an error of the object. A call during
    /// another one sends what that one has not sent.
    ///
    /// - Parameters:
    ///   - context: A context of the manager's store.
    ///   - headers: Header fields of the requests, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the requests can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Returns: The outcome of each object, in the order of `unsentObjects()`.
    /// - Throws: ``LoadError`` for a context of another store; `StoreError` if the objects cannot be read.
    @discardableResult public nonisolated(nonsending) func sendUnsent(
        in context: ObjectContext, headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil
    ) async throws -> [SentObject] {
        guard context.store === store else {
            throw LoadError(.noStore, "the context belongs to another store than that of the ObjectManager")
        }
        let call = await posts.beginAfterOthers([.unsent])
        defer { if let call { posts.end(call, nil) } }
        try await context.merge()
        let objects = try context.unsentObjects()
        // An object that is replaced by another one has no ID.
        let ids = objects.map(\.managed.id)
        var outcomes: [ObjectID: RunningPosts.Outcome?] = [:]
        let run = UnsentRun(ids: Set(ids), headers: headers, owner: owner)
        var remaining = objects
        var isSending = true
        while isSending {
            for object in remaining { await send(object, run, &outcomes) }
            let waiting = remaining.filter { outcomes[$0.managed.id]??.isWaiting == true }
            isSending = !waiting.isEmpty && waiting.count < remaining.count
            if isSending { for object in waiting { outcomes[object.managed.id] = nil } }
            remaining = waiting
        }
        return ids.compactMap { id in outcomes[id].flatMap { $0 }.map { SentObject(id: id, outcome: $0) } }
    }

    /// Sends an object after the new ones to which it refers.
    ///
    /// - Parameter outcomes: The outcomes by object; `nil` for those that are being sent.
    private nonisolated(nonsending) func send(
        _ object: ManagedObject, _ run: UnsentRun, _ outcomes: inout [ObjectID: RunningPosts.Outcome?]
    ) async {
        let id = object.managed.id
        guard outcomes.index(forKey: id) == nil else { return }
        outcomes[id] = .some(nil)
        let outcome: RunningPosts.Outcome
        do {
            for (_, target) in try object.unsentTargets() where run.ids.contains(target.managed.id) {
                await send(target, run, &outcomes)
                // Objects that refer to each other are sent unless their requests have the identities.
                if case .failure(let error)?? = outcomes[target.managed.id], !error.isWaiting { throw error }
            }
            outcome = .success(try await send(object, run))
        } catch { outcome = .failure(error) }
        outcomes[id] = .some(outcome)
    }

    private nonisolated(nonsending) func send(_ object: ManagedObject, _ run: UnsentRun) async throws -> LoadResult {
        guard !Task.isCancelled else {
            throw MappedRequestError(RequestError(.cancelled, "the task was cancelled before the object was sent"))
        }
        let unsent = try object.unsentValues()
        // It was sent with its owner, or by another call.
        if unsent.isEmpty, object.managed.state == .unchanged {
            return LoadResult(unsentTo: client.request(.patch, ""))
        }
        guard !unsent.isNew else {
            return try await post(object, headers: run.headers, owner: run.owner)
        }
        let result = try await patch(object, headers: run.headers, owner: run.owner)
        guard result.outcome == .unchanged, let context = object.managed.context else { return result }
        let names = try context.unsentProperties(of: object)
        guard names.isEmpty else { throw LoadError(unwritten: names, of: object.managed.id) }
        return result
    }

    // MARK: Related objects

    /// Returns the path of the request of an object; null for one that cannot be formed, or that does not depend on it.
    ///
    /// - Parameter path: The path that was passed to the call; `nil` for that of the route.
    func path(of object: ManagedObject, _ method: HTTPMethod, _ path: String?) -> JSON {
        path == nil ? (try? router.path(for: object, method: method)).map { .string($0) } ?? .null : .null
    }

    /// Checks that a request does not have the identity of an object that was never sent.
    ///
    /// - Throws: `LoadError` with that object.
    func checkTargets(
        of object: ManagedObject, _ unsent: UnsentValues, _ method: HTTPMethod, _ path: String?
    ) throws {
        for (name, target) in try object.unsentTargets() {
            // A patch has changes only.
            let isWritten = method != .patch || object.isEdited(name, unsent)
            let isSent = target.isIdentified {
                [self.path(of: object, method, path), isWritten ? bodies.json(of: object, method) ?? .null : .null]
            }
            if isSent { throw LoadError(unsent: target.managed.id, in: name, of: object.managed.id) }
        }
    }
}

/// What all requests of a call have in common.
private struct UnsentRun {
    /// The objects that are sent.
    let ids: Set<ObjectID>
    let headers: HTTPHeaders
    let owner: (any Hashable & Sendable)?
}

extension RunningPosts.Outcome {
    /// Whether no request was sent, because it needs the identity of another object.
    fileprivate var isWaiting: Bool { if case .failure(let error) = self { error.isWaiting } else { false } }
}

extension Error {
    fileprivate var isWaiting: Bool {
        if case .missingValue? = (self as? RouteError)?.kind { return true }
        return (self as? LoadError)?.kind == .unsentTarget
    }
}

extension LoadError {
    fileprivate init(unsent target: ObjectID, in name: String, of object: ObjectID) {
        self.init(
            .unsentTarget,
            "the request of \(object) has the identity of its '\(name)', \(target), which was never sent, so that the server "
                + "does not know it; post \(target) first, or send both with sendUnsent(in:)")
    }

    fileprivate init(unwritten names: [String], of object: ObjectID) {
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        self.init(
            .noBody,
            "no request descriptor writes the edits of \(list) of \(object), which remain unsent; add rules to its mapping, "
                + "or give them up with discardUnsentEdits(of:)")
    }
}
