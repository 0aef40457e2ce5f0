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
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Throws: ``RouteError`` if there is no route or a value is missing, ``LoadError`` of kind `noBody` without a request
    ///   descriptor; otherwise like ``load(_:method:query:headers:owner:policy:pruning:)``.
    @discardableResult public func post<Model: Sendable>(
        _ model: Model, to path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        try await send(.post, model, path, RequestFields(query, headers, owner)) { () throws(LoadError) in
            try bodies.body(of: model, .post)
        }
    }

    /// Sends models as a list, and loads the response.
    ///
    /// - Parameters:
    ///   - models: The models; a single one is a list, too.
    ///   - path: The path.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Throws: ``LoadError`` of kind `noBody` without a request descriptor; otherwise like
    ///   ``load(_:method:query:headers:owner:policy:pruning:)``.
    @discardableResult public func post<Model: Sendable>(
        _ models: [Model], to path: String, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        let body = try bodies.body(ofList: models, .post)
        return try await load(RequestFields(query, headers, owner).request(.post, path, client, body), owner)
    }

    /// Replaces the resource of a model by it, and loads the response; see ``post(_:to:query:headers:owner:)-(Model,_,_,_,_)``.
    @discardableResult public func put<Model: Sendable>(
        _ model: Model, to path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        try await send(.put, model, path, RequestFields(query, headers, owner)) { () throws(LoadError) in
            try bodies.body(of: model, .put)
        }
    }

    /// Changes the resource of a model, and loads the response.
    ///
    /// - Parameters:
    ///   - model: The current model.
    ///   - old: The earlier model: only the changes are sent, as a merge patch (RFC 7396). Defaults to `nil`: the complete model
    ///     is sent.
    ///   - path: The path. Defaults to `nil`, that of the model's route.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Throws: Like ``post(_:to:query:headers:owner:)-(Model,_,_,_,_)``.
    @discardableResult public func patch<Model: Sendable>(
        _ model: Model, changedFrom old: Model? = nil, to path: String? = nil, query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil
    ) async throws -> LoadResult {
        try await send(.patch, model, path, RequestFields(query, headers, owner)) { () throws(LoadError) in
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
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    /// - Returns: The response.
    /// - Throws: ``RouteError`` if there is no route or a value is missing; `MappedRequestError` for another status than 200
    ///   to 299, with the models of an error descriptor.
    @discardableResult public func delete<Model: Sendable>(
        _ model: Model, at path: String? = nil, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil
    ) async throws -> RESTResponse {
        let path = try path ?? router.path(for: model, method: .delete)
        return try await success(of: client.request(.delete, path, query: query, headers: headers), owner).response
    }

    private func send<Model: Sendable>(
        _ method: HTTPMethod, _ model: Model, _ path: String?, _ fields: RequestFields,
        _ makeBody: () throws(LoadError) -> MappedBody
    ) async throws -> LoadResult {
        let path = try path ?? router.path(for: model, method: method)
        return try await load(fields.request(method, path, client, try makeBody()), fields.owner)
    }
}

/// What a call adds to the request of an object or model.
struct RequestFields: Sendable {
    let query: FormValue
    let headers: HTTPHeaders
    let owner: (any Hashable & Sendable)?

    init(_ query: FormValue, _ headers: HTTPHeaders, _ owner: (any Hashable & Sendable)?) {
        (self.query, self.headers, self.owner) = (query, headers, owner)
    }

    /// Returns a request with a body.
    func request(
        _ method: HTTPMethod, _ path: String, _ client: RESTClient, _ body: some RequestSerializable
    ) -> RESTRequest {
        client.request(method, path, query: query, headers: headers, body)
    }
}
