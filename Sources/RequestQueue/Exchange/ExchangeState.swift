/// What changes in an exchange while it runs.
struct ExchangeState: Sendable {
    /// What is sent now, without the cookies of the store and the credentials of `authentication`.
    var hop: TransportRequest?
    /// The hop before its adapters changed it; nil without adapters.
    var original: TransportRequest?
    /// Counts hops; tells what belongs to an earlier one.
    var hops = 0
    var redirects = 0
    /// How often the request was sent, redirects apart.
    var attempts = 1
    /// What the hop is sent with, beside its own fields.
    var authorization: Authorization?
    /// How many challenges to its URL were answered.
    var answers = 0
    var task: (any TransportTask)?
    /// The transport has told the end of this hop.
    var isTaskOver = false
    /// The transport's task is not known yet and is to be cancelled.
    var isTaskUnwanted = false
    /// How often the transport's task, which is not known yet, is to be resumed.
    var resumesOfTask = 0
    var phase = RequestError.Phase.preparing
    var deadlines = Deadlines(Timeouts(), start: .zero)
    /// Its number at the watchdog.
    var watch: Int?
    /// What ends the waiting between two hops.
    var alarm: Alarm?

    /// The body that goes; nil until the transport opens it.
    var body: SendingBody?
    var bytesSent: Int64 = 0
    var isSentTold = false

    var head: ResponseHead?
    var framing: ResponseFraming?
    var sink: (any ResponseSink)?
    /// The file of a download, until it is in its place or gone.
    var file: DownloadFile?
    var bytesReceived: Int64 = 0
    /// The durations that the transport measured of this hop.
    var metrics = RequestMetrics()
    /// What follows when this hop has ended.
    var followUp: FollowUp?

    /// What the cache was asked for this hop.
    var lookUp: CacheLookUp?

    var observer: (@Sendable (ExchangeEvent) -> Void)?
    var completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)?
    /// How many have something to do before the outcome may be delivered; the last of them delivers it.
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

    /// Forgets what belongs to one hop.
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

    /// The hop is over, and another follows, soon or later.
    ///
    /// - Returns: What is left of the body, to be let go of outside the lock: its end may run code that is not ours.
    mutating func endHop(at now: Duration) -> SendingBody? {
        hops += 1
        deadlines.endHop(at: now)
        followUp = nil
        return body.take()
    }

    /// Whether the body went wholly, as far as the system took it.
    var isBodySent: Bool {
        guard hop?.body != nil else { return true }
        guard let body else { return hop?.body?.length == 0 }
        return body.isWhole && bytesSent >= body.count
    }

    /// Decides the outcome, which must not be decided.
    ///
    /// - Returns: What is over by it, to be let go of outside the lock.
    mutating func decide(_ outcome: Result<RESTResponse, RequestError>) -> ExchangeRemains {
        self.outcome = outcome
        if let watch { Watchdog.shared.remove(watch) }
        watch = nil
        // A body that is ready for the next hop goes nowhere any more.
        let readyBody = alarm == nil ? nil : hop?.body.take()
        dropAlarm()
        isTaskUnwanted = true
        // The body holds the exchange.
        defer { (task, body, sink) = (nil, nil, nil) }
        return ExchangeRemains(task: task, body: body, readyBody: readyBody, sink: sink)
    }

    /// Nothing is waited for any more.
    mutating func dropAlarm() {
        alarm?.cancel()
        alarm = nil
    }

    /// Ends the hop before its time.
    mutating func giveUpHop() -> (any TransportTask)? {
        isTaskUnwanted = true
        return task
    }

    /// The outcome with whom it is for, unless it is not decided, delivered already, or somebody else delivers it.
    mutating func takeDelivery() -> OutcomeDelivery? {
        guard deliveryHolds == 0, let outcome, let completion else { return nil }
        self.completion = nil
        observer = nil
        return OutcomeDelivery(outcome: outcome, completion: completion)
    }
}

/// What an exchange with an outcome does not need any more: its end may run code that is not ours.
struct ExchangeRemains: Sendable {
    /// To be cancelled if it still runs.
    let task: (any TransportTask)?
    let body: SendingBody?
    let readyBody: TransportRequest.Body?
    let sink: (any ResponseSink)?
}

/// An outcome on its way.
struct OutcomeDelivery: Sendable {
    let outcome: Result<RESTResponse, RequestError>
    let completion: @Sendable (Result<RESTResponse, RequestError>) -> Void

    func callAsFunction() { completion(outcome) }
}
