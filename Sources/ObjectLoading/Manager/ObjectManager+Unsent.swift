/// An object that ``ObjectManager/sendUnsent(in:headers:owner:)`` has sent, with the outcome.
public struct SentObject: Sendable {
    /// The ID of the object.
    public let id: ObjectID
    /// The result of `post` or `patch`, or the reason why the server has not accepted the object.
    public let outcome: Result<LoadResult, any Error>

    /// The reason why the server has not accepted the object; `nil` after a success.
    public var error: (any Error)? { if case .failure(let error) = outcome { error } else { nil } }
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
    /// after a cancellation, the remaining objects fail without a request. An object that refers to a new one, or whose path
    /// needs its identity, is sent after that one, and fails with its error.
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
        try await context.merge()
        let objects = try context.unsentObjects()
        let ids = objects.map(\.managed.id)
        var outcomes: [Int: RunningPosts.Outcome] = [:]
        var remaining = Array(objects.indices)
        var unsent = Set(try zip(ids, objects).compactMap { try $1.unsentValues().isNew ? $0 : nil })
        var waits = true
        while !remaining.isEmpty {
            var blocked: [Int] = []
            for index in remaining {
                // The server would receive a target without identity.
                if waits, objects[index].targetIDs.contains(where: { $0 != ids[index] && unsent.contains($0) }) {
                    blocked.append(index)
                    continue
                }
                do {
                    outcomes[index] = .success(try await sendUnsent(objects[index], headers, owner))
                    unsent.remove(ids[index])
                } catch {
                    outcomes[index] = .failure(error)
                    // No request was sent: the identity can be that of an object that is sent later.
                    if case .missingValue? = (error as? RouteError)?.kind { blocked.append(index) }
                }
            }
            if blocked.count == remaining.count {
                guard waits else { break }
                // They refer to each other, or to objects that the server has refused.
                let refused = Set(
                    outcomes.compactMap { index, outcome in
                        if case .failure = outcome, unsent.contains(ids[index]) { ids[index] } else { nil }
                    })
                for index in blocked {
                    guard let target = objects[index].targetIDs.first(where: refused.contains),
                        let place = ids.firstIndex(of: target)
                    else { continue }
                    outcomes[index] = outcomes[index] ?? outcomes[place]
                }
                blocked.removeAll { outcomes[$0] != nil && !refused.contains(ids[$0]) }
                waits = false
            }
            remaining = blocked
        }
        return ids.indices.compactMap { index in outcomes[index].map { SentObject(id: ids[index], outcome: $0) } }
    }

    private nonisolated(nonsending) func sendUnsent(
        _ object: ManagedObject, _ headers: HTTPHeaders, _ owner: (any Hashable & Sendable)?
    ) async throws -> LoadResult {
        guard !Task.isCancelled else {
            throw MappedRequestError(RequestError(.cancelled, "the task was cancelled before the object was sent"))
        }
        // Another call can have sent it meanwhile.
        return try object.unsentValues().isNew
            ? await post(object, headers: headers, owner: owner)
            : await patch(object, headers: headers, owner: owner)
    }
}
