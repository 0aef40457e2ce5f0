extension RequestQueue {
    /// Adds a request to the queue and returns its response with any status; `map` and `mapAll` read its body.
    ///
    /// ```swift
    /// let response = try await queue.response(of: client.request("/tasks"))
    /// let tasks = try response.mapAll(as: Task.self)
    /// ```
    ///
    /// It differs from `send(_:owner:priority:)` in the type of its errors, which is that of `map` and `mapAll`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - owner: A value by which the request can be cancelled. Defaults to `nil`.
    ///   - priority: The position in the queue. Defaults to `.normal`.
    /// - Throws: `MappedRequestError` of kind `requestFailed` if there is no response.
    public nonisolated(nonsending) func response(
        of request: RESTRequest, owner: (any Hashable & Sendable)? = nil, priority: Priority = .normal
    ) async throws(MappedRequestError) -> RESTResponse {
        do throws(RequestError) { return try await send(request, owner: owner, priority: priority) } catch {
            throw MappedRequestError(error)
        }
    }
}
