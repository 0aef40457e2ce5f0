extension ObjectManager {
    // MARK: New objects

    /// Creates the resource of an object, and saves this object with the response.
    ///
    /// ```swift
    /// let task = ProjectTask(in: context)
    /// task.name = "Paint the boat"
    /// try await manager.post(task)         // POST /tasks {"name":"Paint the boat"}
    /// print(task.taskID)                   // the identity from the response
    /// ```
    ///
    /// The body is written before the request is sent, and nothing is saved then. After a success, the object, its
    /// attributes and its to-one relationships to saved objects are saved together with the response, in one transaction.
    /// Nothing else of the context is saved: a relationship to a new object remains an unsaved change until that object is
    /// saved. What is changed during the request remains changed. After a failure, the object is unchanged.
    ///
    /// If the body has no identity, it is read from the `Location` of a response with status 201, by the route of the class.
    ///
    /// If the identity in the response is already stored, the object takes over that row; see ``LoadResult/outcome`` for a
    /// context that has both objects, and for a response without an identity.
    ///
    /// If the response is lost after the request was sent, for example because the task is cancelled, or if it cannot be saved,
    /// the server may have created the object. It is not sent again, unless the request has the header field
    /// `Idempotency-Key`, or `allowsSendingAgain(_:)` of the context was called.
    ///
    /// While a call with an object is running, another one with the same object, in any context, sends no request, and has the
    /// same outcome. It waits for a running `put` or `patch` of the object.
    ///
    /// - Parameters:
    ///   - object: A new or saved object of a context.
    ///   - path: The path. Defaults to `nil`, that of the object's route.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Throws: ``RouteError`` if there is no route or a value is missing; ``LoadError`` if the object belongs to no context,
    ///   cannot be saved (no request is sent then), has no request descriptor, or if the response has another identity than the
    ///   object; ``LoadError`` of kind `unsentTarget`, before a request is sent, if the body or the path has the identity of a
    ///   related object that was never sent: post that one first, or call ``sendUnsent(in:headers:owner:)``; ``LoadError`` of
    ///   kind `unknownOutcome` if an earlier request may have created the object; `StoreError` if the save fails; otherwise like ``load(_:method:query:headers:owner:policy:pruning:)``.
    @discardableResult public nonisolated(nonsending) func post<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        let fields = RequestFields(query, headers, owner)
        return try await create(object, path, owner, bodies.changes(of:_:_:_:)) { path throws(LoadError) in
            fields.request(.post, path, client, try bodies.body(of: object, .post))
        }
    }

    /// Creates the resource of an object with a form, such as one with a picture.
    ///
    /// ```swift
    /// let params = Params(["note[text]": note.text])
    /// params.set(data: png, fileName: "boat.png", for: "note[picture]")
    /// try await manager.post(note, params: params)
    /// ```
    ///
    /// The form is the complete body; a request descriptor is not necessary. It creates an object that the server does not
    /// have. Edits of another object remain to be sent, because the form does not have them. Otherwise like ``post(_:to:query:headers:owner:)-(Object,_,_,_,_)``.
    ///
    /// - Parameters:
    ///   - object: A new or saved object of a context.
    ///   - params: The form.
    ///   - path: The path. Defaults to `nil`, that of the object's route.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    @discardableResult public nonisolated(nonsending) func post<Object: ManagedObjectClass>(
        _ object: Object, params: Params, to path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        let fields = RequestFields(query, headers, owner)
        return try await create(object, path, owner, bodies.changesWithoutBody(of:_:_:_:)) { path in
            fields.request(.post, path, client, params)
        }
    }

    /// Creates the resource of an object, unless a call that does is running.
    private nonisolated(nonsending) func create<Object: ManagedObjectClass>(
        _ object: Object, _ path: String?, _ owner: (any Hashable & Sendable)?,
        _ makeChanges: MakeChanges, _ makeRequest: (String) throws(LoadError) -> RESTRequest
    ) async throws -> LoadResult {
        while true {
            switch posts.begin(RunningPosts.Key.keys(of: object)) {
            case .first(let call):
                do {
                    let result = try await send(object, path, owner, makeChanges, makeRequest)
                    posts.end(call, .success(result))
                    return result
                } catch {
                    // The calls that wait were not cancelled: the next one sends the request, unless it was sent before.
                    posts.end(call, error.isCancelledLoad ? nil : .failure(error))
                    throw error
                }
            case .other(let outcomes):
                for await outcome in outcomes {
                    try? await object.managed.context?.merge()
                    if let outcome { return try outcome.get() }
                }
                guard Task.isCancelled else { continue }
                throw MappedRequestError.cancelledWhileWaiting
            }
        }
    }

    private nonisolated(nonsending) func send<Object: ManagedObjectClass>(
        _ object: Object, _ path: String?, _ owner: (any Hashable & Sendable)?,
        _ makeChanges: MakeChanges, _ makeRequest: (String) throws(LoadError) -> RESTRequest
    ) async throws -> LoadResult {
        let context = try await context(of: object)
        let request = try makeRequest(try path ?? router.path(for: object, method: .post))
        if let problem = object.sendingProblems.first { throw LoadError(.invalidObject, "\(problem)") }
        let unsent = try object.unsentValues()
        // With a key, the server recognizes a repeated request.
        if unsent.isUnknown, request.headers["Idempotency-Key"] == nil {
            throw LoadError(unknownOutcomeOf: object.managed.id)
        }
        try checkTargets(of: object, unsent, .post, path)
        let send = context.beginSend(
            of: object, try makeChanges(object, unsent, .post) { self.path(of: object, .post, path) })
        defer { context.end(send) }
        let start = context.store.commitMark()
        let reply: Reply
        do { reply = try await self.reply(to: request, owner) } catch {
            if error.mayHaveCreated { await context.noteUnknownOutcome(of: object) }
            throw error
        }
        do { return try await save(reply, of: object, send.changes, in: context, since: start) } catch {
            await context.noteUnknownOutcome(of: object)
            throw error
        }
    }

    /// Saves an object that was sent with the response.
    ///
    /// The context waits meanwhile: its own saves do not conflict with the response.
    nonisolated(nonsending) func save<Object: ManagedObjectClass>(
        _ reply: Reply, of object: Object, _ changes: UnsavedChanges, in context: ObjectContext,
        since start: CommitMark
    ) async throws -> LoadResult {
        let location = parameters(inLocationOf: reply.response, for: type(of: object))
        let saved: (value: LoadResult, replacement: ObjectID?)?
        do {
            saved = try await context.save(object, sent: changes) { context, copy in
                var models = Reply.Models()
                let object = try context.updateSent(copy, changes, identity: location, since: start) { object in
                    models = try context.map(reply, onto: object)
                }
                return (object, { [models] in reply.result(models) })
            }
        } catch { throw reply.failure(error) }
        // Done in any case: an error is thrown by the next call that merges.
        try? await context.merge()
        guard let saved else {
            var result = LoadResult(parts: [], response: reply.response, report: reply.report)
            result.outcome = .deleted
            return result
        }
        var result = saved.value
        if let replacement = saved.replacement {
            result.outcome = .replaced(by: replacement)
        } else if object.identityValues.contains(nil) {
            result.outcome = .savedWithoutIdentity
        }
        return result
    }

    /// Returns the values in the URL of a created resource by the route of its class; empty without one.
    func parameters(inLocationOf response: RESTResponse, for type: Any.Type) -> [String: String] {
        guard response.status == 201, let url = response.location,
            let path = relativePath(of: url, to: client.baseURL)
        else { return [:] }
        return router.parameters(in: path, of: type)
    }
}

extension Error {
    /// Whether a server may have created a resource: its response was lost, or is a success that cannot be used.
    fileprivate var mayHaveCreated: Bool {
        guard let error = self as? MappedRequestError else { return (self as? LoadError)?.response != nil }
        return error.response?.isSuccessful ?? (error.requestError?.wasNotSent == false)
    }
}

extension LoadError {
    fileprivate init(unknownOutcomeOf id: ObjectID) {
        self.init(
            .unknownOutcome,
            "an earlier request may have created the object \(id) on the server, and its response was lost or not saved; if "
                + "the server does not have the object, call allowsSendingAgain(_:) of its context, otherwise delete it here "
                + "and load it; requests with an Idempotency-Key are sent again")
    }
}

/// Returns the changes of an object that are saved with a response, for its edits that the server does not have, the method
/// and the path of a request.
typealias MakeChanges = (ManagedObject, UnsentValues, HTTPMethod, _ path: () -> JSON) throws(StoreError) ->
    UnsavedChanges
