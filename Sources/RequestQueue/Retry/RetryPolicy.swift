/// When a request is sent again instead of being over: after which answers and failures, how often, and after which
/// delays.
///
/// ```swift
/// client.retryPolicy = .standard
/// client.retryPolicy.attempts = 6
/// ```
///
/// Only what may be done twice is sent twice: requests of an idempotent method (``HTTPMethod/isIdempotent``) and those
/// with a field `Idempotency-Key`, by which the server knows a repetition. Any other, as a plain POST, is sent again only
/// if no connection was made, so that nothing of it went. A body that can be read only once is never sent again.
///
/// The delays grow: before the attempt after the n-th it is any time between zero and `baseDelay` · 2ⁿ⁻¹, at most
/// `maximumDelay`; chance keeps clients apart that failed together. A `Retry-After` of the server is waited for before
/// that, and never cut short (RFC 9110 §10.2.3). When no attempt is left, or none may begin in time, the last answer is
/// the response and the last failure the error. <doc:Retries> tells more.
public struct RetryPolicy: Sendable, Hashable {
    /// A request is sent once; what clients have unless told.
    public static let none = RetryPolicy(attempts: 1)
    /// All that ``init(attempts:baseDelay:maximumDelay:totalTime:statuses:failures:)`` has unless told.
    public static let standard = RetryPolicy()

    /// Statuses that tell of trouble that may pass: 408, 425, 429, 500, 502, 503, 504.
    public static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// Failures of the connection: it was not made, in time or at all, it was lost, or fell silent.
    public static let transientFailures: Set<RequestError.Kind> = [
        .hostNotFound, .connectionRefused, .connectionFailed, .connectTimedOut, .connectionLost, .idleTimedOut,
        .truncatedResponse,
    ]

    /// How often a request is sent at most, the first time included; 4 unless told, and with less than 2 it is sent once.
    public var attempts: Int
    /// The longest delay before the second attempt, which doubles with each further one; 0.5 s unless told.
    public var baseDelay: Duration
    /// Above which a delay grows no more; 30 s unless told.
    ///
    /// A response whose `Retry-After` asks for more is not waited for, but handed over as it is.
    public var maximumDelay: Duration
    /// From the start of the request until its last attempt begins; 2 minutes unless told, nil for any time.
    ///
    /// ``Timeouts/total`` bounds it, too.
    public var totalTime: Duration?
    /// The statuses after which it is sent again; ``transientStatuses`` unless told.
    public var statuses: Set<Int>
    /// The failures after which it is sent again; ``transientFailures`` unless told.
    ///
    /// Only failures of the transport are asked for here: a request that was cancelled, is over its total time, or has an
    /// unreadable body, or finds itself offline by its ``RESTRequest/reachabilityObserver``, ends in any case.
    public var failures: Set<RequestError.Kind>

    /// A policy, each of its parts with the value it has unless told.
    public init(
        attempts: Int = 4, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(30),
        totalTime: Duration? = .seconds(120), statuses: Set<Int> = transientStatuses,
        failures: Set<RequestError.Kind> = transientFailures
    ) {
        self.attempts = attempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.totalTime = totalTime
        self.statuses = statuses
        self.failures = failures
    }
}
