import Dispatch
import Synchronization

extension RESTRequest {
    /// Sends the request and waits for its response, of whatever status.
    ///
    /// Cancelling the task ends it.
    ///
    /// - Parameter progress: Told of bytes that went and came, in order; never after the function returned.
    /// - Throws: Why there is no response.
    public func send(
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws(RequestError) -> RESTResponse {
        try await outcome(progress: progress)
    }

    /// Sends the request, for code that is not async.
    ///
    /// - Parameter completion: Called once, on a thread of no one's, with the outcome.
    @discardableResult
    public func send(
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        send(delivery: .memory, completion: completion)
    }

    /// Sends the request, its response's body going where it is told, for code that is not async.
    func send(
        delivery: Exchange.Delivery, completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        let handle = RequestHandle()
        run(by: handle, delivery: delivery, through: notices(progress: nil, completion))
        return handle
    }

    /// Sends the request and blocks the thread until the response is there; delegate and progress are told on this thread.
    ///
    /// - Throws: Why there is no response.
    @available(*, noasync, message: "it blocks the thread; await send()")
    public func sendSynchronously(progress: ((RequestProgress) -> Void)? = nil) throws(RequestError) -> RESTResponse {
        let inbox = Inbox()
        var observer: (@Sendable (ExchangeEvent) -> Void)?
        if progress != nil || delegate != nil { observer = { inbox.post(.event($0)) } }
        inbox.post(.willSend)
        carrier(observer: observer) { inbox.post(.outcome($0)) }.start()
        while true {
            let notice = inbox.next()
            notice.deliver(self, progress: progress)
            if case .outcome(let outcome) = notice { return try outcome.get() }
        }
    }

    /// Sends the request, its response's body going where it is told.
    package func outcome(
        delivery: Exchange.Delivery = .memory, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws(RequestError) -> RESTResponse {
        let handle = RequestHandle()
        let outcome: Result<RESTResponse, RequestError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if progress == nil, delegate == nil {
                    handle.run(carrier(delivery: delivery) { continuation.resume(returning: $0) })
                } else {
                    let notices = notices(progress: progress) { continuation.resume(returning: $0) }
                    run(by: handle, delivery: delivery, through: notices)
                }
            }
        } onCancel: {
            handle.cancel()
        }
        return try outcome.get()
    }

    private func run(
        by handle: RequestHandle, delivery: Exchange.Delivery, through mailbox: Mailbox<RequestNotice>
    ) {
        mailbox.post(.willSend)
        handle.run(
            carrier(
                delivery: delivery,
                observer: { event in mailbox.post(.event(event)) { $0.isReplaced(by: .event(event)) } },
                completion: { mailbox.post(.outcome($0)) }))
    }

    /// A mailbox that tells delegate, progress and completion off the transport's thread.
    private func notices(
        progress: (@Sendable (RequestProgress) -> Void)?,
        _ completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> Mailbox<RequestNotice> {
        Mailbox { notice in
            notice.deliver(self, progress: progress)
            if case .outcome(let outcome) = notice { completion(outcome) }
        }
    }
}

/// Notices on their way to a thread that waits for them.
private final class Inbox: Sendable {
    private let notices = Mutex<[RequestNotice]>([])
    private let count = DispatchSemaphore(value: 0)

    func post(_ notice: RequestNotice) {
        let isNew = notices.withLock { notices in
            if let last = notices.last, last.isReplaced(by: notice) {
                notices[notices.count - 1] = notice
                return false
            }
            notices.append(notice)
            return true
        }
        if isNew { count.signal() }
    }

    func next() -> RequestNotice {
        count.wait()
        return notices.withLock { $0.removeFirst() }
    }
}
