/// The state of an exchange: its machine, and the resources that the effects of the machine need.
struct ExchangeState: Sendable {
    var machine: ExchangeMachine
    /// The current hop, without the cookies of the store and the credentials of `authentication`.
    var hop: TransportRequest?
    /// The hop before its adapters changed it; `nil` without adapters.
    var original: TransportRequest?
    /// The body that was opened for the next attempt.
    var readyBody: TransportRequest.Body?
    /// The credentials that are added to the hop.
    var credentials: Credentials = (nil, false)
    var task: (any TransportTask)?
    /// The key of the identical request that this one will wait for, the request while it waits, and its last progress.
    var identical: (key: CoalescingKey?, request: (any RunningRequest)?, progress: RequestProgress?) = (nil, nil, nil)

    /// The body that is sent; `nil` until the transport opens it.
    var body: SendingBody?
    var received = Received()
    var sink: (any ResponseSink)?
    /// The file of a download, until it is moved or removed, and that of a complete download.
    var download: (file: DownloadFile?, staged: StagedFile?) = (nil, nil)
    /// The cache lookup of this hop.
    var lookUp: CacheLookup?

    /// The closures of the sender; `nil` after the outcome was delivered.
    var callbacks: Callbacks?
    /// The outcome; before the end, the response that becomes the outcome.
    var outcome: Result<RESTResponse, RequestError>?
    var registrations = Registrations()

    /// Credentials, and whether a challenge of the server can be answered.
    typealias Credentials = (authorization: Authorization?, mayBeRefused: Bool)

    /// The head of the response, and what follows from it.
    struct Received: Sendable {
        var head: ResponseHead?
        var framing: ResponseFraming?
        /// The answer to the challenge in the head.
        var answer: Authentication.Step?
        /// The redirect in the head.
        var redirect: Redirect?
        /// The durations of this hop that the transport measured.
        var metrics = RequestMetrics()
    }

    /// Where the exchange is registered to be called later.
    struct Registrations: Sendable {
        /// The identifier of the exchange in the watchdog.
        var watch: Int?
        /// The alarm that ends the wait between two attempts.
        var alarm: Alarm?
        /// Whether the life cycle of the application applies, and the identifier of the exchange there.
        var followsLifecycle = false
        var listener: Int?
    }

    /// The closures of the sender; a class, because each call copies the reference.
    final class Callbacks: Sendable {
        let queue: (@Sendable (Exchange.QueueCall) -> Void)?
        let isListening: (@Sendable () -> Bool)?
        let observer: (@Sendable (RequestEvent) -> Void)?
        let completion: @Sendable (Result<RESTResponse, RequestError>) -> Void

        init(
            queue: (@Sendable (Exchange.QueueCall) -> Void)?, isListening: (@Sendable () -> Bool)?,
            observer: (@Sendable (RequestEvent) -> Void)?,
            completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
        ) {
            self.queue = queue
            self.isListening = isListening
            self.observer = observer
            self.completion = completion
        }
    }

    /// Processes an event.
    ///
    /// - Returns: What follows from it.
    mutating func handle(_ input: ExchangeMachine.Input, at now: Duration) -> ExchangeMachine.Effects {
        var effects = ExchangeMachine.Effects()
        switch input {
        case .connected, .sent, .bytes, .consumed:
            if let isListening = callbacks?.isListening { machine.isListening = isListening() }
        default: break
        }
        machine.handle(input, at: now, into: &effects)
        return effects
    }

    /// Whether the system has accepted the complete body.
    ///
    /// - Parameter bytes: The number of bytes that the system has accepted.
    func isBodySent(_ bytes: Int64) -> Bool {
        guard hop?.body != nil else { return true }
        guard let body else { return hop?.body?.length == 0 }
        return body.isCompletelyRead && bytes >= body.count
    }

    var isBodySent: Bool { isBodySent(machine.transfer.bytesSent) }

    /// Resets the resources of one transfer.
    ///
    /// - Returns: Resources to be released outside the lock.
    mutating func beginTransfer() -> ExchangeResources {
        let resources = takeResources()
        received = Received()
        return resources
    }

    /// Removes the resources whose deinitializers can run user code.
    ///
    /// - Returns: Resources to be released outside the lock.
    mutating func takeResources() -> ExchangeResources {
        registrations.alarm?.cancel()
        registrations.alarm = nil
        (received.answer, received.redirect) = (nil, nil)
        defer { (task, body, readyBody, sink) = (nil, nil, nil, nil) }
        return (task, body, readyBody, sink)
    }

    /// Receives the body in memory.
    mutating func receiveInMemory(_ limits: ResponseLimits) throws(TransportFailure) {
        guard !machine.isEnded, let framing = received.framing else { return }
        sink = try MemorySink(framing, limits: limits)
    }

    /// Returns the received response with its body; `nil` before its head.
    func response(body: Data) -> RESTResponse? {
        guard let head = received.head, let hop else { return nil }
        var metrics = received.metrics
        (metrics.bytesSent, metrics.bytesReceived) = (machine.transfer.bytesSent, machine.transfer.bytesReceived)
        return RESTResponse(
            status: head.status, headers: head.headers, body: body, url: hop.url, redirects: machine.course.redirects,
            attempts: machine.course.attempts, method: hop.method, metrics: metrics)
    }

    /// Returns the error of a failure, with the details of the request.
    func error(_ failure: TransportFailure, _ request: RESTRequest) -> RequestError {
        RequestError(
            failure.kind, failure.cause, method: hop?.method ?? request.method,
            url: hop?.url ?? request.url ?? request.buildError?.url, phase: machine.phase,
            bytesSent: machine.transfer.bytesSent, bytesReceived: machine.transfer.bytesReceived,
            attempts: machine.course.attempts, underlying: failure.underlying)
    }
}

/// Resources of an exchange that are released outside the lock.
typealias ExchangeResources = (
    task: (any TransportTask)?, body: SendingBody?, readyBody: TransportRequest.Body?, sink: (any ResponseSink)?
)
