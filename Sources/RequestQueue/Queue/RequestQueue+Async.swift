extension RequestQueue {
    /// Adds a request and returns its response; cancelling the task cancels the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - owner: The value that ``cancelRequests(ownedBy:)-(HashableSendable)`` compares. Defaults to no owner.
    ///   - priority: The place in the queue. Defaults to `.normal`.
    /// - Throws: The reason for which there is no response.
    public func send(
        _ request: RESTRequest, owner: (any Hashable & Sendable)? = nil, priority: Priority = .normal
    ) async throws(RequestError) -> RESTResponse {
        try await response(of: add(request, owner: owner, priority: priority))
    }

    /// Adds a request that an object owns and returns its response; cancelling the task cancels the request.
    @_disfavoredOverload
    public func send(
        _ request: RESTRequest, owner: AnyObject, priority: Priority = .normal
    ) async throws(RequestError) -> RESTResponse {
        try await response(of: add(request, owner: owner, priority: priority))
    }

    private func response(of request: QueuedRequest) async throws(RequestError) -> RESTResponse {
        try await withTaskCancellationHandler {
            await request.result
        } onCancel: {
            request.cancel()
        }.get()
    }

    /// Adds a request and returns when the head of its response is received; the body is read while it arrives.
    ///
    /// The request occupies its place in the queue until its body has been read or is released. Cancelling the task
    /// cancels the request. With ``BackgroundPolicy/requeue`` it is cancelled in the background, since what was read
    /// cannot be taken back.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - owner: The value that ``cancelRequests(ownedBy:)-(HashableSendable)`` compares. Defaults to no owner.
    ///   - priority: The place in the queue. Defaults to `.normal`.
    /// - Throws: Errors before the head is received; the body throws later ones.
    public func stream(
        _ request: RESTRequest, owner: (any Hashable & Sendable)? = nil, priority: Priority = .normal
    ) async throws(RequestError) -> RESTStream {
        try await stream(request, owner.map { RequestOwner($0) }, priority)
    }

    /// Adds a request that an object owns and returns when the head of its response is received.
    @_disfavoredOverload
    public func stream(
        _ request: RESTRequest, owner: AnyObject, priority: Priority = .normal
    ) async throws(RequestError) -> RESTStream {
        try await stream(request, RequestOwner(owner), priority)
    }

    private func stream(
        _ request: RESTRequest, _ owner: RequestOwner?, _ priority: Priority
    ) async throws(RequestError) -> RESTStream {
        let sink = StreamSink()
        let queued = add(QueuedRequest(request, owner: owner, queue: self, sink: sink), priority)
        return try await queued.stream(from: sink)
    }
}
