extension ObjectManager {
    // MARK: Models that are not managed

    /// Sends a model, such as to create it, and loads the response.
    ///
    /// ```swift
    /// manager.router.add(Account.self, .post, "/accounts")
    /// manager.bodies.add(Account.mapping, root: "account")
    /// manager.responses.add(Account.mapping, at: "account", path: "/accounts")
    ///
    /// let created = try await manager.post(Account(name: "Ada")).values(of: Account.self).first
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - path: The path. Defaults to `nil`, that of the model's route.
    ///   - query: The query. Defaults to none.
    /// - Throws: ``RouteError`` if there is no route or a value is missing, ``LoadError`` of kind `noBody` without a request
    ///   descriptor; otherwise like ``load(_:method:query:headers:owner:policy:pruning:)``.
    @discardableResult public func post<Model: Sendable>(
        _ model: Model, to path: String? = nil, query: FormValue = [:]
    ) async throws -> LoadResult {
        try await send(.post, model, path, query) { () throws(LoadError) in try bodies.body(of: model, .post) }
    }

    /// Sends models as a list, and loads the response.
    ///
    /// - Parameters:
    ///   - models: The models; a single one is a list, too.
    ///   - path: The path.
    ///   - query: The query. Defaults to none.
    /// - Throws: ``LoadError`` of kind `noBody` without a request descriptor; otherwise like
    ///   ``load(_:method:query:headers:owner:policy:pruning:)``.
    @discardableResult public func post<Model: Sendable>(
        _ models: [Model], to path: String, query: FormValue = [:]
    ) async throws -> LoadResult {
        let body = try bodies.body(ofList: models, .post)
        return try await load(client.request(.post, path, query: query, body))
    }

    /// Replaces the resource of a model by it, and loads the response; see ``post(_:to:query:)-(Model,_,_)``.
    @discardableResult public func put<Model: Sendable>(
        _ model: Model, to path: String? = nil, query: FormValue = [:]
    ) async throws -> LoadResult {
        try await send(.put, model, path, query) { () throws(LoadError) in try bodies.body(of: model, .put) }
    }

    /// Changes the resource of a model, and loads the response.
    ///
    /// - Parameters:
    ///   - model: The current model.
    ///   - old: The earlier model: only the changes are sent, as a merge patch (RFC 7396). Defaults to `nil`: the complete model
    ///     is sent.
    ///   - path: The path. Defaults to `nil`, that of the model's route.
    ///   - query: The query. Defaults to none.
    /// - Throws: Like ``post(_:to:query:)-(Model,_,_)``.
    @discardableResult public func patch<Model: Sendable>(
        _ model: Model, changedFrom old: Model? = nil, to path: String? = nil, query: FormValue = [:]
    ) async throws -> LoadResult {
        try await send(.patch, model, path, query) { () throws(LoadError) in
            if let old {
                try bodies.body(ofChanges: model, since: old, .patch)
            } else {
                try bodies.body(of: model, .patch)
            }
        }
    }

    /// Deletes the resource of a model; the request has no body.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - path: The path. Defaults to `nil`, that of the model's route.
    ///   - query: The query. Defaults to none.
    /// - Returns: The response.
    /// - Throws: ``RouteError`` if there is no route or a value is missing; `MappedRequestError` for another status than 200
    ///   to 299, with the models of an error descriptor.
    @discardableResult public func delete<Model: Sendable>(
        _ model: Model, at path: String? = nil, query: FormValue = [:]
    ) async throws -> RESTResponse {
        let path = try path ?? router.path(for: model, method: .delete)
        return try await success(of: client.request(.delete, path, query: query)).response
    }

    private func send<Model: Sendable>(
        _ method: HTTPMethod, _ model: Model, _ path: String?, _ query: FormValue,
        _ makeBody: () throws(LoadError) -> MappedBody
    ) async throws -> LoadResult {
        let path = try path ?? router.path(for: model, method: method)
        return try await load(client.request(method, path, query: query, try makeBody()))
    }
}
