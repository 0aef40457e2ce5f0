extension RequestQueue {
    /// Adds a request and returns its response; cancelling the task cancels the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - owner: The value that ``cancelRequests(ownedBy:)-(HashableSendable)`` compares. Defaults to no owner.
    ///   - priority: The place in the queue. Defaults to `.normal`.
    /// - Throws: The reason for which there is no response.
    public func send(
        _ request: consuming RESTRequest, owner: (any Hashable & Sendable)? = nil, priority: Priority = .normal
    ) async throws(RequestError) -> RESTResponse {
        try await response(of: add(sendable(request), owner: owner, priority: priority))
    }

    /// Adds a request that an object owns and returns its response; cancelling the task cancels the request.
    @_disfavoredOverload
    public func send(
        _ request: consuming RESTRequest, owner: AnyObject, priority: Priority = .normal
    ) async throws(RequestError) -> RESTResponse {
        try await response(of: add(sendable(request), owner: owner, priority: priority))
    }

    /// Makes the request of a cancelled task fail before it is sent.
    private func sendable(_ request: consuming RESTRequest) -> RESTRequest {
        guard Task.isCancelled else { return request }
        request.refuse(
            RequestError(
                .cancelled, "the task was cancelled before its request was sent", method: request.method,
                url: request.url))
        return request
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
    /// The request occupies its place in the queue until its body has been received, up to 256 KiB of which are buffered,
    /// or is released. Cancelling the task cancels the request. With ``BackgroundPolicy/requeue`` it is cancelled in the
    /// background, since what was read cannot be taken back.
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
        let queued = add(QueuedRequest(sendable(request), owner: owner, queue: self, sink: sink), priority)
        return try await queued.stream(from: sink)
    }

    /// The priority of a waiting request.
    ///
    /// Requests of equal priority start in the order in which they were added. To prevent starvation, a request starts
    /// after at most 16 requests of higher priority have overtaken it.
    public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// For background work, such as prefetching.
        case low
        /// The default.
        case normal
        /// Starts before other waiting requests; loading requests continue.
        case high

        /// Whether the first priority is lower.
        public static func < (one: Priority, other: Priority) -> Bool { one.rawValue < other.rawValue }
    }
}

/// The owner of a request: a value that is compared by equality, or an object that is compared by identity and held weakly.
struct RequestOwner: Sendable {
    private enum Kind {
        case value(any Hashable & Sendable)
        case object(ComparedObject)
    }

    private let kind: Kind

    init(_ owner: any Hashable & Sendable) {
        kind = type(of: owner) is AnyClass ? .object(ComparedObject(object: owner as AnyObject)) : .value(owner)
    }

    init(_ owner: AnyObject) { kind = .object(ComparedObject(object: owner)) }

    func isEqual(_ other: RequestOwner) -> Bool {
        switch (kind, other.kind) {
        case (.value(let one), .value(let other)): isSame(one, other)
        case (.object(let one), .object(let other)): one.object.map { $0 === other.object } ?? false
        default: false
        }
    }

    private func isSame<Value: Equatable>(_ one: Value, _ other: any Hashable) -> Bool { other as? Value == one }
}

/// An object that is not called, only compared by address: a weak reference distinguishes an object from a later one at
/// the same address.
///
/// Unchecked: weak references are read atomically, and any thread may compare addresses.
private struct ComparedObject: @unchecked Sendable {
    private(set) weak var object: AnyObject?
}
