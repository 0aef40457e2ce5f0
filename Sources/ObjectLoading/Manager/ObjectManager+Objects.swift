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
    /// object are saved together with the response, in one transaction, and those of related objects that the body has.
    /// Changes of lists, one-to-one relationships and other objects, and those that were made meanwhile, remain unsaved. After
    /// a failure, the objects are unchanged.
    ///
    /// While another `put`, `patch` or `post` of the same object is running, the call waits for it, and then sends the values
    /// that the object has at that time.
    ///
    /// - Parameters:
    ///   - object: A saved object, with or without unsaved changes.
    ///   - path: The path. Defaults to `nil`, that of the object's route.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Throws: ``RouteError`` if there is no route or a value is missing; ``LoadError`` if the object was never saved, without
    ///   a request descriptor, or if the response contains other objects, but not this one; `StoreError` of kind
    ///   `missingObject` if the object was deleted meanwhile; otherwise like
    ///   ``load(_:method:query:headers:owner:policy:pruning:)``.
    @discardableResult public nonisolated(nonsending) func put<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        let fields = RequestFields(query, headers, owner)
        return try await send(.put, object, path, fields, bodies.changes(of:_:_:_:)) { path, _ in
            fields.request(.put, path, client, try bodies.body(of: object, .put))
        }
    }

    /// Replaces the resource of an object by a form, such as one with a picture, and merges the response.
    ///
    /// The form is the complete body; a request descriptor is not necessary. Edits of the object remain to be sent, because
    /// the form does not have them. Otherwise like ``put(_:to:query:headers:owner:)-(Object,_,_,_,_)``.
    ///
    /// - Parameters:
    ///   - object: A saved object.
    ///   - params: The form.
    ///   - path: The path. Defaults to `nil`, that of the object's route.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    @discardableResult public nonisolated(nonsending) func put<Object: ManagedObjectClass>(
        _ object: Object, params: Params, to path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        try await send(.put, object, params, path, RequestFields(query, headers, owner))
    }

    /// Sends the changes of an object as a merge patch (RFC 7396), and merges the response.
    ///
    /// The patch contains the unsaved changes, and the saved ones that the server has not accepted yet, also after the program
    /// was started again. An object that was never sent is sent completely. Without changes that the mapping writes, no
    /// request is sent, nothing is saved, and the outcome is ``LoadResult/Outcome/unchanged``. Like `put`, the call waits for
    /// another request of the same object.
    ///
    /// - Parameters:
    ///   - object: A saved object.
    ///   - path: The path. Defaults to `nil`, that of the object's route.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Throws: Like ``put(_:to:query:headers:owner:)-(Object,_,_,_,_)``.
    @discardableResult public nonisolated(nonsending) func patch<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        let fields = RequestFields(query, headers, owner)
        return try await send(.patch, object, path, fields, bodies.changes(of:_:_:_:)) { path, unsent in
            guard try bodies.hasChanges(of: object, since: unsent, .patch) else { return nil }
            return fields.request(.patch, path, client, try bodies.body(ofChanges: object, since: unsent, .patch))
        }
    }

    /// Changes the resource of an object by a form, and merges the response; see ``put(_:params:to:query:headers:owner:)``.
    @discardableResult public nonisolated(nonsending) func patch<Object: ManagedObjectClass>(
        _ object: Object, params: Params, to path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        try await send(.patch, object, params, path, RequestFields(query, headers, owner))
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
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Returns: The response.
    /// - Throws: ``RouteError`` if there is no route or a value is missing; ``LoadError`` if the object was never saved;
    ///   `MappedRequestError` for another status; `StoreError` of kind `invalidObjects`, before a request is sent, if a
    ///   delete rule denies the deletion or another object requires this one.
    @discardableResult public nonisolated(nonsending) func delete<Object: ManagedObjectClass>(
        _ object: Object, at path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> RESTResponse {
        let (context, id) = try await saved(object, allowsDeleted: true)
        let isOwnRoute = path == nil
        let path = try path ?? router.path(for: object, method: .delete)
        let request = client.request(.delete, path, query: query, headers: headers)
        // Before the resource is gone.
        try await context.store.perform { try $0.checkDeletion(of: id) }
        let response: RESTResponse
        do throws(MappedRequestError) { response = try await success(of: request, owner).response } catch {
            guard isOwnRoute, let gone = error.response, isGone(gone) else { throw error }
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

    /// Sends a form as the complete body.
    private nonisolated(nonsending) func send<Object: ManagedObjectClass>(
        _ method: HTTPMethod, _ object: Object, _ params: Params, _ path: String?, _ fields: RequestFields
    ) async throws -> LoadResult {
        try await send(method, object, path, fields, bodies.changesWithoutBody(of:_:_:_:)) { path, _ in
            fields.request(method, path, client, params)
        }
    }

    /// - Parameters:
    ///   - makeChanges: Returns the changes that are saved with the response.
    ///   - makeRequest: Returns the request to a path; `nil` if there is nothing to send.
    private nonisolated(nonsending) func send<Object: ManagedObjectClass>(
        _ method: HTTPMethod, _ object: Object, _ path: String?, _ fields: RequestFields,
        _ makeChanges: MakeChanges, _ makeRequest: (String, UnsentValues) throws -> RESTRequest?
    ) async throws -> LoadResult {
        // Two requests can arrive in either order, and the server would keep either value.
        guard let call = await posts.beginAfterOthers(RunningPosts.Key.keys(of: object)) else {
            throw MappedRequestError.cancelledWhileWaiting
        }
        defer { posts.end(call, nil) }
        let (context, id) = try await saved(object)
        let target = try path ?? router.path(for: object, method: method)
        let unsent = try object.unsentValues()
        guard let request = try makeRequest(target, unsent) else {
            return LoadResult(unsentTo: client.request(method, target, query: fields.query))
        }
        try checkTargets(of: object, unsent, method, path)
        let send = context.beginSend(
            of: object, try makeChanges(object, unsent, method) { self.path(of: object, method, path) })
        defer { context.end(send) }
        let start = context.store.commitMark()
        let reply = try await reply(to: request, fields.owner)
        let result = try await save(reply, of: object, send.changes, in: context, since: start)
        guard result.outcome != .deleted else {
            throw StoreError(
                .missingObject, "\(result.response.summary): the object \(id) was deleted meanwhile", entity: id.entity)
        }
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
            let advice = object.managed.state == .deleted ? "it was deleted, and cannot be sent" : "insert it first"
            throw LoadError(.notSaved, "expected an object of a context, found \(object.debugDescription); \(advice)")
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
