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
                handle.run(
                    isObserved
                        ? observed(on: settings.callbackExecutor) { continuation.resume(returning: $0) }
                        : Exchange(self, followsLifecycle: true) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            handle.cancel()
        }
    }

    /// Sends the request, for code that is not asynchronous.
    ///
    /// - Parameter completion: Receives the outcome once, on the ``RequestSettings/callbackExecutor``.
    @discardableResult
    public func send(
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        let handle = RequestHandle()
        handle.run(observed(on: settings.callbackExecutor, completion: completion, ended: { _ in handle.finish() }))
        return handle
    }

    /// Sends the request and blocks the thread until the response is received.
    ///
    /// The delegate and the progress handler are called on this thread.
    ///
    /// - Throws: The reason why no response was received.
    @available(*, noasync, message: "it blocks the thread; await send()")
    public func sendSynchronously() throws(RequestError) -> RESTResponse {
        let (blocks, outcome) = (Inbox(), OneTimeValue<Result<RESTResponse, RequestError>>())
        observed(on: CallbackExecutor { blocks.post($0) }) { outcome.set($0) }.start()
        while true {
            blocks.next()()
            if let outcome = outcome.current { return try outcome.get() }
        }
    }

    /// Sends the request and returns when the head of the response is received.
    ///
    /// The body is read while it arrives, in bounded memory and without a size limit.
    ///
    /// The delegate receives the response at the end of the body.
    ///
    /// - Throws: Errors before the head is received; the body throws later ones.
    public func stream() async throws(RequestError) -> RESTStream {
        let sink = StreamSink()
        let exchange =
            isObserved
            ? observed(on: settings.callbackExecutor, delivery: .stream(sink), ended: { sink.end($0) })
            : Exchange(self, delivery: .stream(sink), followsLifecycle: true) { sink.end($0) }
        let begun = await withTaskCancellationHandler {
            exchange.start()
            return await sink.begun()
        } onCancel: {
            exchange.cancel()
        }
        let head = try begun.get()
        return RESTStream(exchange, sink, head)
    }

    var isObserved: Bool { delegate != nil || progressHandler != nil }

    /// A mailbox that calls the delegate, the progress handler and a completion.
    func mailbox(
        _ completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> Mailbox<RequestEvent> {
        Mailbox { event in
            event.deliver(to: self)
            if case .didFinish(let outcome) = event { completion(outcome) }
        }
    }

    /// An exchange whose delegate, progress handler and completion are called on an executor.
    ///
    /// - Parameter ended: Receives the outcome on the transport's thread.
    private func observed(
        on executor: CallbackExecutor, delivery: Exchange.Delivery? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void = { _ in },
        ended: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void = { _ in }
    ) -> Exchange {
        let mailbox = mailbox(completion)
        mailbox.post(.willSend, on: executor)
        return Exchange(
            self, delivery: delivery, followsLifecycle: true,
            observer: { event in mailbox.post(event, on: executor) { $0.isReplaced(by: event) } },
            completion: { outcome in
                ended(outcome)
                mailbox.post(.didFinish(outcome), on: executor)
            })
    }

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
    /// - Parameter file: The URL of a file in an existing folder. The target of a symbolic link is replaced or created.
    /// - Returns: The response; the body of a success is empty.
    /// - Throws: An error of kind `fileNotWritable` if the file cannot be written, and the errors of ``send()``.
    public func download(to file: URL) async throws(RequestError) -> RESTResponse {
        var request = self
        request.destination = file
        return try await request.send()
    }
}

/// Blocks for a waiting thread.
private final class Inbox: Sendable {
    private let blocks = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    func post(_ block: @escaping @Sendable () -> Void) {
        blocks.withLock { $0.append(block) }
        count.signal()
    }

    func next() -> @Sendable () -> Void {
        count.wait()
        return blocks.withLock { $0.removeFirst() }
    }
}
