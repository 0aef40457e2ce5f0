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
    /// Sends a request once, except for ``reconnects``; the default of clients.
    public static let none = RetryPolicy(attempts: 1)
    /// The policy with the defaults of
    /// ``init(attempts:baseDelay:maximumDelay:totalTime:statuses:failures:reconnects:)``.
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
    /// body, or is offline by its ``RequestSettings/reachabilityObserver`` is not.
    public var failures: Set<RequestError.Kind>
    /// Whether a request that only reads is sent again, once and immediately, if a reused connection closes before the
    /// first byte of the response.
    ///
    /// Defaults to `true`.
    ///
    /// Servers close idle connections at any time, also when the next request is already on its way. This applies to GET,
    /// HEAD, OPTIONS and TRACE without a body, in the first attempt, and independently of ``attempts``. The second attempt
    /// uses a new connection, and is counted and reported like any other.
    public var reconnects: Bool
    /// Decides about responses before ``statuses``.
    private var rule: Rule?

    /// Creates a policy.
    public init(
        attempts: Int = 4, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(30),
        totalTime: Duration? = .seconds(120), statuses: Set<Int> = transientStatuses,
        failures: Set<RequestError.Kind> = transientFailures, reconnects: Bool = true
    ) {
        self.attempts = attempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.totalTime = totalTime
        self.statuses = statuses
        self.failures = failures
        self.reconnects = reconnects
    }
}

extension RetryPolicy {
    /// What a request does after a response.
    public enum Decision: Sendable, Hashable {
        /// Sends the request again if its status is in ``RetryPolicy/statuses``.
        case standard
        /// Sends the request again after a delay, which replaces the field `Retry-After`.
        ///
        /// The request must be idempotent, as for ``RetryPolicy/statuses``, and the other limits of the policy apply.
        case retry(after: Duration)
        /// Does not send the request again: the response is returned.
        case respond

        /// Sends the request again at a date, which replaces the field `Retry-After`; see ``retry(after:)``.
        ///
        /// Any date is valid: one in the past is now.
        public static func retry(at date: Date) -> Decision {
            // Limited to 30,000 years: larger numbers and NaN, which a server can send, would overflow.
            let delay = date.timeIntervalSinceNow
            return .retry(after: .seconds(delay < 1e12 ? max(delay, 0) : 1e12))
        }
    }

    /// Returns the policy with a closure that decides about each response.
    ///
    /// ```swift
    /// client.retryPolicy = RetryPolicy(maximumDelay: .seconds(60)).deciding { head in
    ///     guard head.status == 403 else { return .standard }
    ///     if let delay = head.retryAfter() { return .retry(after: delay) }
    ///     guard head.headers["X-RateLimit-Remaining"] == "0",
    ///         let reset = head.headers["X-RateLimit-Reset"].flatMap(Double.init)
    ///     else { return .respond }
    ///     return .retry(at: Date(timeIntervalSince1970: reset))
    /// }
    /// ```
    ///
    /// - Parameter decide: Called with status and header fields of each response, if ``attempts`` is at least 2, on the thread
    ///   of the transport: it must not block.
    public func deciding(_ decide: @escaping @Sendable (ResponseHead) -> Decision) -> RetryPolicy {
        var policy = self
        policy.rule = Rule(decide)
        return policy
    }

    /// Returns the decision of the closure about a response.
    func decision(after head: ResponseHead) -> Decision { rule?.decide(head) ?? .standard }

    /// A closure, compared by identity.
    private final class Rule: Sendable, Hashable {
        let decide: @Sendable (ResponseHead) -> Decision

        init(_ decide: @escaping @Sendable (ResponseHead) -> Decision) { self.decide = decide }

        static func == (one: Rule, other: Rule) -> Bool { one === other }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// Returns the delay before the next attempt; `nil` if the policy or the remaining time allows no further attempt.
    ///
    /// - Parameters:
    ///   - made: The number of attempts made.
    ///   - retryAfter: The delay in the field `Retry-After`; `nil` without it.
    ///   - elapsed: The time since the request began.
    ///   - timeLeft: The rest of ``Timeouts/total``; `nil` without a total timeout.
    ///   - chance: A random number from 0 to 1.
    func delay(
        after made: Int, retryAfter: Duration?, elapsed: Duration, timeLeft: Duration?, chance: Double
    ) -> Duration? {
        guard made < attempts else { return nil }
        if let retryAfter, retryAfter > maximumDelay { return nil }
        // Limited, because sums of larger delays would overflow.
        let delay = min(max(retryAfter ?? .zero, .zero), Self.longest) + backOff(after: made) * chance
        // An attempt that times out immediately would only discard the response already received.
        if let timeLeft, delay >= timeLeft { return nil }
        if let totalTime, elapsed + delay > totalTime { return nil }
        return delay
    }

    private static let longest = Duration.seconds(Int64(1) << 40)

    /// Returns the maximum delay after a number of attempts, ignoring `Retry-After`.
    private func backOff(after made: Int) -> Duration {
        let most = min(max(maximumDelay, .zero), Self.longest)
        var delay = max(baseDelay, .zero)
        for _ in 1..<min(max(made, 1), 64) where delay < most { delay = delay * 2 }
        return min(delay, most)
    }

    /// Whether a response with a status is retried.
    func covers(status: Int, isIdempotent: Bool) -> Bool {
        // Checked first, so that requests without retries skip the other conditions.
        attempts > 1 && statuses.contains(status) && isIdempotent
    }

    /// Whether a failed request is retried.
    func covers(_ failure: RequestError.Kind, in phase: RequestError.Phase, isIdempotent: Bool) -> Bool {
        guard attempts > 1, failures.contains(failure) else { return false }
        // Before the connection is established no byte can have been sent.
        return isIdempotent || phase == .connecting
    }
}

extension ResponseHead {
    /// Returns the delay in `Retry-After` (RFC 9110 §10.2.3); `nil` if the field is missing or invalid.
    ///
    /// A date is relative to the `Date` of the response, so that the setting of the local clock does not matter. Of several
    /// fields, the longest delay is returned.
    ///
    /// - Parameter now: The date of a response without a `Date` field. Defaults to the current date.
    public func retryAfter(now: Date = Date()) -> Duration? {
        headers.values(for: "Retry-After").compactMap { text in
            if !text.isEmpty, text.utf8.allSatisfy(isDigit) {
                // Limited, because larger numbers would overflow.
                return .seconds(min(Int64(text) ?? .max, 1 << 40))
            }
            let made = headers["Date"].flatMap { Date(httpDate: $0, now: now) } ?? now
            return Date(httpDate: text, now: now).map { .seconds(max($0.timeIntervalSince(made), 0)) }
        }.max()
    }
}

/// A scheduled retry of a request: its number, its delay, and its reason.
public struct RequestRetry: Sendable {
    /// The reason for a retry.
    public enum Reason: Sendable {
        /// The server responded with a status in ``RetryPolicy/statuses``.
        case status(Int)
        /// The request failed with a kind in ``RetryPolicy/failures``.
        case failure(RequestError)
    }

    /// The number of the next attempt: 2 for the first retry.
    public let attempt: Int
    /// The delay between the response or failure and the next attempt.
    public let delay: Duration
    /// The outcome of the previous attempt.
    public let reason: Reason
}

extension RequestRetry: CustomStringConvertible {
    /// The attempt, its delay and its reason, such as `attempt 2 in 0.25 seconds, after 503`.
    public var description: String {
        let cause =
            switch reason {
            case .status(let status): "\(status)"
            case .failure(let error): "\(error)"
            }
        return "attempt \(attempt) in \(delay), after \(cause)"
    }
}
