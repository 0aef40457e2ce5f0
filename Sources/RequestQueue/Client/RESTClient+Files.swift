extension RESTClient {
    /// Asks for a resource and writes it to a file, which is there only when all of it came.
    ///
    /// A file that is there already is replaced then, and not before. A response of another status than 2xx has its body
    /// in memory, and there is no file. Progress is told of bytes that came, in order, and never after the function
    /// returned.
    ///
    /// - Returns: The response, the body of a success empty.
    public func download(
        _ path: String, query: [String: any FormValueConvertible] = [:], to file: URL,
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws(RequestError) -> RESTResponse {
        try await request(.get, path, query: query).download(to: file, progress: progress)
    }

    /// Asks for a resource and writes it to a file, for code that is not async.
    @discardableResult
    public func download(
        _ path: String, query: [String: any FormValueConvertible] = [:], to file: URL,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.get, path, query: query).send(delivery: .file(file), completion: completion)
    }

    /// Asks for a resource and returns as soon as the head of the response is there; its body is read while it comes.
    public func stream(
        _ path: String, query: [String: any FormValueConvertible] = [:]
    ) async throws(RequestError) -> RESTStream {
        try await request(.get, path, query: query).stream()
    }
}
