extension RESTClient {
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
