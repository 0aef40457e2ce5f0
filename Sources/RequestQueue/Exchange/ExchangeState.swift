/// What changes in an exchange while it runs.
struct ExchangeState: Sendable {
    /// What is sent now, without the cookies of the store.
    var hop: TransportRequest?
    /// Counts redirects; tells what belongs to an earlier one.
    var redirects = 0
    var task: (any TransportTask)?
    /// The transport's task is not known yet and is to be cancelled.
    var isTaskUnwanted = false
    var phase = RequestError.Phase.preparing
    var deadlines = Deadlines(Timeouts(), start: .zero)
    /// Its number at the watchdog.
    var watch: Int?

    /// The body that goes; nil until the transport opens it.
    var body: SendingBody?
    var bytesSent: Int64 = 0
    var isSentTold = false

    var head: ResponseHead?
    var framing: ResponseFraming?
    var sink: (any ResponseSink)?
    var bytesReceived: Int64 = 0
    /// What follows when this hop has ended.
    var redirect: Redirect?

    var observer: (@Sendable (ExchangeEvent) -> Void)?
    var completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)?
    /// The observer is being told something: who decides the outcome meanwhile leaves its delivery to the teller.
    var isTelling = false
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
    mutating func beginHop(_ next: TransportRequest, at now: Duration) {
        hop = next
        task = nil
        isTaskUnwanted = false
        phase = .connecting
        deadlines.beginHop(at: now)
        body = nil
        bytesSent = 0
        head = nil
        framing = nil
        sink = nil
        bytesReceived = 0
        redirect = nil
    }

    /// Whether the body went wholly, as far as the system took it.
    var isBodySent: Bool {
        guard hop?.body != nil else { return true }
        guard let body else { return hop?.body?.length == 0 }
        return body.isWhole && bytesSent >= body.count
    }

    /// The outcome with whom it is for, unless it is not decided, delivered already, or somebody else delivers it.
    mutating func takeDelivery() -> OutcomeDelivery? {
        guard !isTelling, let outcome, let completion else { return nil }
        self.completion = nil
        observer = nil
        return OutcomeDelivery(outcome: outcome, completion: completion)
    }
}

/// An outcome on its way.
struct OutcomeDelivery: Sendable {
    let outcome: Result<RESTResponse, RequestError>
    let completion: @Sendable (Result<RESTResponse, RequestError>) -> Void

    func callAsFunction() { completion(outcome) }
}
