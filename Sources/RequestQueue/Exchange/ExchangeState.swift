/// The mutable state of an exchange.
struct ExchangeState: Sendable {
    /// The current hop, without the cookies of the store and the credentials of `authentication`.
    var hop: TransportRequest?
    /// The hop before its adapters changed it; `nil` without adapters.
    var original: TransportRequest?
    /// The number of hops, which identifies events of an earlier hop.
    var hops = 0
    var redirects = 0
    /// The number of attempts, without redirects.
    var attempts = 1
    /// The credentials that are added to the hop.
    var authorization: Authorization?
    /// The number of challenges of its URL that were answered.
    var answers = 0
    var task: (any TransportTask)?
    /// Whether the transport has reported the end of this hop.
    var isTaskOver = false
    /// Whether the transport's task, which is not yet known, has to be cancelled.
    var isTaskUnwanted = false
    /// The number of times that the transport's task, which is not yet known, has to be resumed.
    var resumesOfTask = 0
    var phase = RequestError.Phase.preparing
    var deadlines = Deadlines(Timeouts(), start: .zero)
    /// The identifier of the exchange in the watchdog.
    var watch: Int?
    /// The alarm that ends the wait between two hops.
    var alarm: Alarm?

    /// The body that is sent; `nil` until the transport opens it.
    var body: SendingBody?
    var bytesSent: Int64 = 0
    var isSentTold = false

    var head: ResponseHead?
    var framing: ResponseFraming?
    var sink: (any ResponseSink)?
    /// The file of a download, until it is moved or removed.
    var file: DownloadFile?
    var bytesReceived: Int64 = 0
    /// The durations of this hop that the transport measured.
    var metrics = RequestMetrics()
    /// The action after the end of this hop.
    var followUp: FollowUp?

    /// The cache lookup of this hop.
    var lookUp: CacheLookUp?

    var observer: (@Sendable (ExchangeEvent) -> Void)?
    var completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)?
    /// The number of operations that delay the delivery of the outcome; the last of them delivers it.
    var deliveryHolds = 0
    /// Set once.
    var outcome: Result<RESTResponse, RequestError>?

    init(
        observer: (@Sendable (ExchangeEvent) -> Void)?,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) {
        self.observer = observer
        self.completion = completion
    }

    /// Resets the state of one hop.
    mutating func beginHop(_ next: TransportRequest, _ authorization: Authorization?, at now: Duration) {
        hop = next
        self.authorization = authorization
        task = nil
        isTaskOver = false
        isTaskUnwanted = false
        resumesOfTask = 0
        phase = .connecting
        deadlines.beginHop(at: now)
        body = nil
        bytesSent = 0
        head = nil
        framing = nil
        sink = nil
        bytesReceived = 0
        metrics = RequestMetrics()
        followUp = nil
    }

    /// Ends the hop before another one.
    ///
    /// - Returns: The body, to be released outside the lock, because its deinitializer can run user code.
    mutating func endHop(at now: Duration) -> SendingBody? {
        hops += 1
        deadlines.endHop(at: now)
        followUp = nil
        return body.take()
    }

    /// Whether the system has accepted the complete body.
    var isBodySent: Bool {
        guard hop?.body != nil else { return true }
        guard let body else { return hop?.body?.length == 0 }
        return body.isWhole && bytesSent >= body.count
    }

    /// Decides the outcome, which must be undecided.
    ///
    /// - Returns: Resources to be released outside the lock.
    mutating func decide(_ outcome: Result<RESTResponse, RequestError>) -> ExchangeRemains {
        self.outcome = outcome
        if let watch { Watchdog.shared.remove(watch) }
        watch = nil
        // A body that was opened for the next hop is not sent.
        let readyBody = alarm == nil ? nil : hop?.body.take()
        dropAlarm()
        isTaskUnwanted = true
        // The body retains the exchange.
        defer { (task, body, sink) = (nil, nil, nil) }
        return ExchangeRemains(task: task, body: body, readyBody: readyBody, sink: sink)
    }

    /// Cancels the wait between two hops.
    mutating func dropAlarm() {
        alarm?.cancel()
        alarm = nil
    }

    /// Abandons the hop.
    ///
    /// - Returns: The task to cancel.
    mutating func giveUpHop() -> (any TransportTask)? {
        isTaskUnwanted = true
        return task
    }

    /// Returns the outcome and its receiver; `nil` if it is undecided, held back or already delivered.
    mutating func takeDelivery() -> OutcomeDelivery? {
        guard deliveryHolds == 0, let outcome, let completion else { return nil }
        self.completion = nil
        observer = nil
        return OutcomeDelivery(outcome: outcome, completion: completion)
    }
}

/// Resources of an ended exchange; their deinitializers can run user code.
struct ExchangeRemains: Sendable {
    /// The task to cancel if it still runs.
    let task: (any TransportTask)?
    let body: SendingBody?
    let readyBody: TransportRequest.Body?
    let sink: (any ResponseSink)?
}

/// An outcome and its receiver.
struct OutcomeDelivery: Sendable {
    let outcome: Result<RESTResponse, RequestError>
    let completion: @Sendable (Result<RESTResponse, RequestError>) -> Void

    func callAsFunction() { completion(outcome) }

    func log() {
        switch outcome {
        case .success(let response):
            LogMessage.log(
                .requestQueue, .debug, "\(response.method) \(response), in \(response.metrics.total)")
        case .failure(let error):
            LogMessage.log(.requestQueue, error.kind == .cancelled ? .debug : .error, error.description)
        }
    }
}
