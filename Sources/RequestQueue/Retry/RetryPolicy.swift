/// When and how often a request is retried.
///
/// ```swift
/// client.retryPolicy = .standard
/// client.retryPolicy.attempts = 6
/// ```
///
/// A request is retried only if that is safe (RFC 9110 §9.2.2): GET, HEAD, OPTIONS, TRACE, PUT and DELETE, and any method
/// with an `Idempotency-Key`. Other requests, such as a POST without a key, are retried only if no connection was
/// established. A body that can be read only once is never sent again.
///
/// The delay before each attempt is random, up to `baseDelay`, doubled with each attempt, and at most `maximumDelay`.
/// A `Retry-After` is added to the delay (RFC 9110 §10.2.3). After the last attempt, its response or error is the
/// outcome. See <doc:Retries>.
public struct RetryPolicy: Sendable, Hashable {
    /// Sends a request once; the default of clients.
    public static let none = RetryPolicy(attempts: 1)
    /// The policy with the defaults of ``init(attempts:baseDelay:maximumDelay:totalTime:statuses:failures:)``.
    public static let standard = RetryPolicy()

    /// The statuses of transient errors: 408, 425, 429, 500, 502, 503, 504.
    public static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// The transient failures: a connection that cannot be established or is lost, timeouts, and truncated responses.
    public static let transientFailures: Set<RequestError.Kind> = [
        .hostNotFound, .connectionRefused, .connectionFailed, .connectTimedOut, .connectionLost, .idleTimedOut,
        .truncatedResponse,
    ]

    /// The maximum number of attempts, including the first.
    ///
    /// Defaults to 4; values below 2 disable retries.
    public var attempts: Int
    /// The maximum delay before the second attempt; doubles with each further attempt.
    ///
    /// Defaults to 0.5 seconds.
    public var baseDelay: Duration
    /// The maximum delay before any attempt.
    ///
    /// Defaults to 30 seconds.
    ///
    /// A response with a longer `Retry-After` is returned immediately.
    public var maximumDelay: Duration
    /// The maximum time from the start of the request to its last attempt.
    ///
    /// Defaults to 2 minutes; `nil` for no limit.
    ///
    /// ``Timeouts/total`` applies, too.
    public var totalTime: Duration?
    /// The statuses after which a request is retried.
    ///
    /// Defaults to ``transientStatuses``.
    public var statuses: Set<Int>
    /// The failures after which a request is retried.
    ///
    /// Defaults to ``transientFailures``.
    ///
    /// Only failures of the transport are retried. A request that was cancelled, exceeds its total time, has an unreadable
    /// body, or is offline by its ``RESTRequest/reachabilityObserver`` is not.
    public var failures: Set<RequestError.Kind>

    /// Creates a policy.
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
