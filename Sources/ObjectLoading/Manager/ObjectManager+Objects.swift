extension ObjectManager {
    // MARK: Managed objects

    /// Replaces the resource of an object by it, and merges the response.
    ///
    /// ```swift
    /// task.name = "Paint the boat"
    /// try await manager.put(task)          // PUT /tasks/7
    /// ```
    ///
    /// The body is written before the request is sent. After a success, the unsaved attributes and to-one relationships of the
    /// object are saved together with the response, in one transaction. Changes of lists, one-to-one relationships and other
    /// objects, and those that were made meanwhile, remain unsaved. After a failure, the object is unchanged.
    ///
    /// - Parameters:
    ///   - object: A saved object, with or without unsaved changes.
    ///   - path: The path. Defaults to `nil`, that of the object's route.
    ///   - query: The query. Defaults to none.
    /// - Throws: ``RouteError`` if there is no route or a value is missing; ``LoadError`` if the object was never saved, without
    ///   a request descriptor, or if the response contains other objects, but not this one; `StoreError` of kind
    ///   `missingObject` if the object was deleted meanwhile; otherwise like
    ///   ``load(_:method:query:headers:owner:policy:pruning:)``.
    @discardableResult public nonisolated(nonsending) func put<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:]
    ) async throws -> LoadResult {
        try await send(.put, object, path, query) { _ in try bodies.body(of: object, .put) }
    }

    /// Sends the changes of an object as a merge patch (RFC 7396), and merges the response.
    ///
    /// The patch contains the unsaved changes, and the saved ones that the server has not accepted yet, also after the program
    /// was started again. An object that was never sent is sent completely. Without changes that the mapping writes, no
    /// request is sent, nothing is saved, and the outcome is ``LoadResult/Outcome/unchanged``.
    ///
    /// - Parameters:
    ///   - object: A saved object.
    ///   - path: The path. Defaults to `nil`, that of the object's route.
    ///   - query: The query. Defaults to none.
    /// - Throws: Like ``put(_:to:query:)-(Object,_,_)``.
    @discardableResult public nonisolated(nonsending) func patch<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:]
    ) async throws -> LoadResult {
        try await send(.patch, object, path, query) { unsent in
            guard try bodies.hasChanges(of: object, since: unsent, .patch) else { return nil }
            return try bodies.body(ofChanges: object, since: unsent, .patch)
        }
    }

    /// Deletes the resource of an object, and then the object in the store.
    ///
    /// The request has no body. A response with status 404 or 410 to the object's own route is a success, too, if it has no
    /// body or one in a format of the client. The object is detached from its context before the call returns; after a
    /// failure, it is unchanged.
    ///
    /// - Parameters:
    ///   - object: A saved object.
    ///   - path: The path. Defaults to `nil`, that of the object's route.
    ///   - query: The query. Defaults to none.
    /// - Returns: The response.
    /// - Throws: ``RouteError`` if there is no route or a value is missing; ``LoadError`` if the object was never saved;
    ///   `MappedRequestError` for another status; `StoreError` of kind `invalidObjects`, before a request is sent, if a
    ///   delete rule denies the deletion or another object requires this one.
    @discardableResult public nonisolated(nonsending) func delete<Object: ManagedObjectClass>(
        _ object: Object, at path: String? = nil, query: FormValue = [:]
    ) async throws -> RESTResponse {
        let (context, id) = try await saved(object, allowsDeleted: true)
        let request = client.request(.delete, try path ?? router.path(for: object, method: .delete), query: query)
        // Before the resource is gone.
        try await context.store.perform { try $0.checkDeletion(of: id) }
        let response: RESTResponse
        do throws(MappedRequestError) { response = try await success(of: request).response } catch {
            guard path == nil, let gone = error.response, isGone(gone) else { throw error }
            response = gone
        }
        guard response.redirects == 0 else {
            throw LoadError(
                .redirected, "\(response.summary): the deletion of \(id) was redirected, and the object was kept",
                response: response)
        }
        try await context.store.delete(id)
        // Without its unsaved changes, it is detached.
        context.refresh(object)
        // Done in any case: an error is thrown by the next call that merges.
        try? await context.merge()
        return response
    }

    /// Whether a response to the route of an object says that the resource no longer exists.
    ///
    /// A page of a proxy does not confirm it: the body is empty or in a format of the client.
    func isGone(_ response: RESTResponse) -> Bool {
        (response.status == 404 || response.status == 410) && response.redirects == 0
            && (response.isBlank || isFormat(response.mimeType))
    }

    /// Whether the client reads bodies of a media type.
    private func isFormat(_ mimeType: String?) -> Bool {
        mimeType.map { JSONFormat.json.matches($0, isExact: true) || client.formats.format(mediaType: $0) != nil }
            ?? false
    }

    /// - Parameter makeBody: Returns the body; `nil` if there is nothing to send.
    private nonisolated(nonsending) func send<Object: ManagedObjectClass>(
        _ method: HTTPMethod, _ object: Object, _ path: String?, _ query: FormValue,
        _ makeBody: (UnsentValues) throws -> MappedBody?
    ) async throws -> LoadResult {
        let (context, id) = try await saved(object)
        let path = try path ?? router.path(for: object, method: method)
        let unsent = try object.unsentValues()
        guard let body = try makeBody(unsent) else {
            return LoadResult(unsentTo: client.request(method, path, query: query))
        }
        let request = client.request(method, path, query: query, body)
        let send = context.beginSend(of: object, bodies.changes(of: object, unsent, method))
        defer { context.end(send) }
        let start = context.store.commitMark()
        let reply = try await reply(to: request)
        let changes = send.changes
        let result = try await save(
            reply, isLoad: false, since: start, expecting: Expectation(id: id, changes: changes))
        object.discard(changes, saved: result.saved)
        context.didSend(changes, result.children)
        // Done in any case: an error is thrown by the next call that merges.
        try? await context.merge()
        return result
    }

    /// Returns the context and the ID of a saved object of the manager's store, with what others have committed.
    ///
    /// - Throws: `LoadError` for other objects; `StoreError` if the object cannot be read.
    nonisolated(nonsending) func saved<Object: ManagedObjectClass>(
        _ object: Object, allowsDeleted: Bool = false
    ) async throws -> (ObjectContext, ObjectID) {
        let id = object.managed.id
        guard !id.isTemporary else {
            throw LoadError(
                .notSaved, "expected a saved object, found \(object.debugDescription); post it, or save its context")
        }
        return (try await context(of: object, allowsDeleted: allowsDeleted), id)
    }

    /// Returns the context of an object of the manager's store, with what others have committed.
    ///
    /// - Throws: `LoadError` for other objects, and for one whose deletion was not saved; `StoreError` if the object cannot
    ///   be read.
    nonisolated(nonsending) func context<Object: ManagedObjectClass>(
        of object: Object, allowsDeleted: Bool = false
    ) async throws -> ObjectContext {
        let id = object.managed.id
        guard let context = object.managed.context else {
            throw LoadError(
                .notSaved, "expected an object of a context, found \(object.debugDescription); insert it first")
        }
        guard context.store === store else {
            throw LoadError(.noStore, "the object \(id) belongs to another store than that of the ObjectManager")
        }
        guard allowsDeleted || object.managed.state != .deleted else {
            throw LoadError(
                .invalidObject,
                "the object \(id) was deleted in its context; save the context, or roll back its changes first")
        }
        try await context.merge()
        // Reads a fault: without its values, its path would be that of another object.
        _ = object.identityValues
        if let error = object.managed.error { throw error }
        guard !object.hasUnsavedIdentity else {
            throw LoadError(
                .notSaved,
                "the identity of \(id) was changed and not saved, so that its path is unknown; save its context first")
        }
        return context
    }
}
