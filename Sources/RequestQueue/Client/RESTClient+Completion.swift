extension RESTClient {
    // The calls with a completion closure, which receives the outcome once, on no particular thread.

    /// Sends a GET request.
    @discardableResult
    public func get(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:],
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.get, path, query: query, headers: headers).send(completion: completion)
    }

    /// Sends a HEAD request.
    @discardableResult
    public func head(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:],
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.head, path, query: query, headers: headers).send(completion: completion)
    }

    /// Sends a DELETE request.
    @discardableResult
    public func delete(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:],
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.delete, path, query: query, headers: headers).send(completion: completion)
    }

    /// Sends a POST request with a body.
    @discardableResult
    public func post(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some RequestSerializable,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.post, path, query: query, headers: headers, body).send(completion: completion)
    }

    /// Sends a POST request with a form, or without a body.
    @discardableResult
    public func post(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ form: FormValue? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.post, path, query: query, headers: headers, form).send(completion: completion)
    }

    /// Sends a PUT request with a body.
    @discardableResult
    public func put(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some RequestSerializable,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.put, path, query: query, headers: headers, body).send(completion: completion)
    }

    /// Sends a PUT request with a form, or without a body.
    @discardableResult
    public func put(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ form: FormValue? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.put, path, query: query, headers: headers, form).send(completion: completion)
    }

    /// Sends a PATCH request with a body.
    @discardableResult
    public func patch(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some RequestSerializable,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.patch, path, query: query, headers: headers, body).send(completion: completion)
    }

    /// Sends a PATCH request with a form, or without a body.
    @discardableResult
    public func patch(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ form: FormValue? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.patch, path, query: query, headers: headers, form).send(completion: completion)
    }
}
