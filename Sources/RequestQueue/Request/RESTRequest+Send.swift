import Dispatch
import Synchronization

extension RESTRequest {
    /// Sends the request and returns its response with any status.
    ///
    /// Cancelling the task cancels the request. The following form catches typed errors in functions and in tasks:
    ///
    /// ```swift
    /// Task {
    ///     do throws(RequestError) {
    ///         show(try await client.request(.get, "/tasks").send())
    ///     } catch {
    ///         show(error.kind)
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: The reason why no response was received.
    public func send() async throws(RequestError) -> RESTResponse { try await result().get() }

    /// Sends the request and returns its response, or the reason why no response was received.
    public func result() async -> Result<RESTResponse, RequestError> {
        let handle = RequestHandle()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if progressHandler == nil, delegate == nil {
                    handle.run(Exchange(self, followsLifecycle: true) { continuation.resume(returning: $0) })
                } else {
                    run(by: handle) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            handle.cancel()
        }
    }

    /// Sends the request, for code that is not asynchronous.
    ///
    /// - Parameter completion: Receives the outcome once, on the ``callbackExecutor``.
    @discardableResult
    public func send(
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        let handle = RequestHandle()
        run(by: handle, completion)
        return handle
    }

    /// Sends the request and blocks the thread until the response is received.
    ///
    /// The delegate and the progress handler are called on this thread.
    ///
    /// - Throws: The reason why no response was received.
    @available(*, noasync, message: "it blocks the thread; await send()")
    public func sendSynchronously() throws(RequestError) -> RESTResponse {
        let inbox = Inbox()
        var observer: (@Sendable (ExchangeEvent) -> Void)?
        if progressHandler != nil || delegate != nil { observer = { inbox.post(.event($0)) } }
        inbox.post(.willSend)
        Exchange(self, followsLifecycle: true, observer: observer) { inbox.post(.outcome($0)) }.start()
        while true {
            let callback = inbox.next()
            callback.deliver(self)
            if case .outcome(let outcome) = callback { return try outcome.get() }
        }
    }

    /// Starts the request.
    ///
    /// Its delegate, progress handler and completion are not called on the transport's thread.
    private func run(
        by handle: RequestHandle, _ completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) {
        let mailbox = Mailbox<RequestCallback> { callback in
            callback.deliver(self)
            if case .outcome(let outcome) = callback { completion(outcome) }
        }
        let executor = callbackExecutor
        mailbox.post(.willSend, on: executor)
        handle.run(
            Exchange(
                self, followsLifecycle: true,
                observer: { event in
                    mailbox.post(.event(event), on: executor) { $0.isReplaced(by: .event(event)) }
                },
                completion: {
                    handle.finish()
                    mailbox.post(.outcome($0), on: executor)
                }))
    }
}

/// A queue of callbacks for a waiting thread.
private final class Inbox: Sendable {
    private let callbacks = Mutex<[RequestCallback]>([])
    private let count = DispatchSemaphore(value: 0)

    func post(_ callback: RequestCallback) {
        let isNew = callbacks.withLock { callbacks in
            if let last = callbacks.last, last.isReplaced(by: callback) {
                callbacks[callbacks.count - 1] = callback
                return false
            }
            callbacks.append(callback)
            return true
        }
        if isNew { count.signal() }
    }

    func next() -> RequestCallback {
        count.wait()
        return callbacks.withLock { $0.removeFirst() }
    }
}

extension RESTRequest {
    /// Returns the request with a handler of its progress, which replaces an earlier one.
    ///
    /// ```swift
    /// let response = try await client.request(.post, "/films", params)
    ///     .onProgress { print($0.fractionCompleted ?? 0) }
    ///     .send()
    /// ```
    ///
    /// - Parameter handler: Receives the bytes sent and received so far, in order, before the delegate does, and never
    ///   after the outcome. A slow handler receives only the latest progress.
    public func onProgress(_ handler: @escaping @Sendable (RequestProgress) -> Void) -> RESTRequest {
        var request = self
        request.progressHandler = handler
        return request
    }

    /// Sends the request and writes the body of a success to a file; see ``destination``.
    ///
    /// ```swift
    /// let response = try await client.request(.get, "/films/7").download(to: file)
    /// ```
    ///
    /// - Parameter file: The URL of a file in an existing folder.
    /// - Returns: The response; the body of a success is empty.
    /// - Throws: An error of kind `fileNotWritable` if the file cannot be written, and the errors of ``send()``.
    public func download(to file: URL) async throws(RequestError) -> RESTResponse {
        var request = self
        request.destination = file
        return try await request.send()
    }
}
