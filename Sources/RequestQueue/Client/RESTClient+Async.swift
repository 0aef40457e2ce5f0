extension RESTClient {
    // The asynchronous calls. They return responses of any status, and throw if no response was received.

    /// Sends a GET request.
    public func get(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:]
    ) async throws(RequestError) -> RESTResponse {
        try await request(.get, path, query: query, headers: headers).send()
    }

    /// Sends a GET request with a query of a dictionary, sorted by name, or of `[URLQueryItem]`, in their order.
    @_disfavoredOverload
    public func get(
        _ path: String, query: some FormValueConvertible, headers: HTTPHeaders = [:]
    ) async throws(RequestError) -> RESTResponse {
        try await request(.get, path, query: query.formValue, headers: headers).send()
    }

    /// Sends a HEAD request.
    public func head(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:]
    ) async throws(RequestError) -> RESTResponse {
        try await request(.head, path, query: query, headers: headers).send()
    }

    /// Sends a DELETE request.
    public func delete(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:]
    ) async throws(RequestError) -> RESTResponse {
        try await request(.delete, path, query: query, headers: headers).send()
    }

    /// Sends a POST request with a body.
    public func post(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some RequestSerializable
    ) async throws(RequestError) -> RESTResponse {
        try await request(.post, path, query: query, headers: headers, body).send()
    }

    /// Sends a POST request with a form, or without a body.
    public func post(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ form: FormValue? = nil
    ) async throws(RequestError) -> RESTResponse {
        try await request(.post, path, query: query, headers: headers, form).send()
    }

    /// Sends a POST request whose body is a value as JSON.
    public func post(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], json: some Encodable
    ) async throws(RequestError) -> RESTResponse {
        try await request(.post, path, query: query, headers: headers, json: json).send()
    }

    /// Sends a POST request whose body is a file, which is read while it is sent.
    public func post(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], file: URL
    ) async throws(RequestError) -> RESTResponse {
        try await request(.post, path, query: query, headers: headers, file: file).send()
    }

    /// Sends a PUT request with a body.
    public func put(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some RequestSerializable
    ) async throws(RequestError) -> RESTResponse {
        try await request(.put, path, query: query, headers: headers, body).send()
    }

    /// Sends a PUT request with a form, or without a body.
    public func put(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ form: FormValue? = nil
    ) async throws(RequestError) -> RESTResponse {
        try await request(.put, path, query: query, headers: headers, form).send()
    }

    /// Sends a PUT request whose body is a value as JSON.
    public func put(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], json: some Encodable
    ) async throws(RequestError) -> RESTResponse {
        try await request(.put, path, query: query, headers: headers, json: json).send()
    }

    /// Sends a PUT request whose body is a file, which is read while it is sent.
    public func put(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], file: URL
    ) async throws(RequestError) -> RESTResponse {
        try await request(.put, path, query: query, headers: headers, file: file).send()
    }

    /// Sends a PATCH request with a body.
    public func patch(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some RequestSerializable
    ) async throws(RequestError) -> RESTResponse {
        try await request(.patch, path, query: query, headers: headers, body).send()
    }

    /// Sends a PATCH request with a form, or without a body.
    public func patch(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ form: FormValue? = nil
    ) async throws(RequestError) -> RESTResponse {
        try await request(.patch, path, query: query, headers: headers, form).send()
    }

    /// Sends a PATCH request whose body is a value as JSON.
    public func patch(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], json: some Encodable
    ) async throws(RequestError) -> RESTResponse {
        try await request(.patch, path, query: query, headers: headers, json: json).send()
    }

    /// Sends a PATCH request whose body is a file, which is read while it is sent.
    public func patch(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], file: URL
    ) async throws(RequestError) -> RESTResponse {
        try await request(.patch, path, query: query, headers: headers, file: file).send()
    }

    /// Sends a GET and writes the body of a success to a file; see ``RESTRequest/destination``.
    ///
    /// - Returns: The response; the body of a success is empty.
    public func download(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], to file: URL
    ) async throws(RequestError) -> RESTResponse {
        try await request(.get, path, query: query, headers: headers).download(to: file)
    }

    /// Sends a GET and writes the body of a success to a file, for code that is not asynchronous.
    @discardableResult
    public func download(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], to file: URL,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        var request = request(.get, path, query: query, headers: headers)
        request.destination = file
        return request.send(completion: completion)
    }

    /// Sends a GET and returns when the head of the response is received; the body is read while it arrives.
    public func stream(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:]
    ) async throws(RequestError) -> RESTStream {
        try await request(.get, path, query: query, headers: headers).stream()
    }
}
