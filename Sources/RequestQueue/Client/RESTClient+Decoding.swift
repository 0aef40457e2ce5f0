extension RESTClient {
    // Calls that decode the JSON of a success. A response with another status than 2xx, or with another body, is an error
    // of kind `unacceptableResponse`, which holds the response.

    /// Sends a GET request and decodes its response.
    ///
    /// ```swift
    /// let film = try await client.get("/films/7", decoding: Film.self)
    /// ```
    public func get<Value: Decodable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], decoding type: Value.Type
    ) async throws(RequestError) -> Value {
        try await request(.get, path, query: query, headers: headers).send(decoding: type)
    }

    /// Sends a POST request whose body is a value as JSON, and decodes its response.
    public func post<Value: Decodable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], json: some Encodable,
        decoding type: Value.Type
    ) async throws(RequestError) -> Value {
        try await request(.post, path, query: query, headers: headers, json: json).send(decoding: type)
    }

    /// Sends a PUT request whose body is a value as JSON, and decodes its response.
    public func put<Value: Decodable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], json: some Encodable,
        decoding type: Value.Type
    ) async throws(RequestError) -> Value {
        try await request(.put, path, query: query, headers: headers, json: json).send(decoding: type)
    }

    /// Sends a PATCH request whose body is a value as JSON, and decodes its response.
    public func patch<Value: Decodable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], json: some Encodable,
        decoding type: Value.Type
    ) async throws(RequestError) -> Value {
        try await request(.patch, path, query: query, headers: headers, json: json).send(decoding: type)
    }
}

extension RESTRequest {
    /// Sends the request and decodes the JSON of its response.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder. Defaults to a new one.
    /// - Throws: An error of kind `unacceptableResponse` if the status is not 2xx or the body is not JSON of the type;
    ///   its ``RequestError/response`` is what the server sent. Otherwise the reason why no response was received.
    public func send<Value: Decodable>(
        decoding type: Value.Type, decoder: JSONDecoder = JSONDecoder()
    ) async throws(RequestError) -> Value {
        try await send().validated().json(type, decoder: decoder)
    }
}
