extension RetryPolicy {
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
        let delay = (retryAfter ?? .zero) + backOff(after: made) * chance
        // An attempt that times out immediately would only discard the response already received.
        if let timeLeft, delay >= timeLeft { return nil }
        if let totalTime, elapsed + delay > totalTime { return nil }
        return delay
    }

    /// Returns the maximum delay after a number of attempts, ignoring `Retry-After`.
    private func backOff(after made: Int) -> Duration {
        // Limited, because larger delays would overflow.
        let most = min(max(maximumDelay, .zero), .seconds(1 << 40))
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
    /// - Parameter now: The date of a response without a `Date` field.
    func retryAfter(now: Date) -> Duration? {
        headers.values(for: "Retry-After").compactMap { text in
            if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                // Limited, because larger numbers would overflow.
                return .seconds(min(Int64(text) ?? .max, 1 << 40))
            }
            let made = headers["Date"].flatMap { Date(httpDate: $0, now: now) } ?? now
            return Date(httpDate: text, now: now).map { .seconds(max($0.timeIntervalSince(made), 0)) }
        }.max()
    }
}
