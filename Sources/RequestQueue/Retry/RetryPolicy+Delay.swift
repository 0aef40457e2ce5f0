extension RetryPolicy {
    /// How long to wait before the next attempt; nil if there is none, or none that could begin in time.
    ///
    /// - Parameters:
    ///   - made: How many attempts were made.
    ///   - retryAfter: What the server asks for.
    ///   - elapsed: The time since the request began.
    ///   - timeLeft: Of ``Timeouts/total``; nil if that is without end.
    ///   - chance: A random number from 0 to 1.
    func delay(
        after made: Int, retryAfter: Duration?, elapsed: Duration, timeLeft: Duration?, chance: Double
    ) -> Duration? {
        guard made < attempts else { return nil }
        if let retryAfter, retryAfter > maximumDelay { return nil }
        let delay = (retryAfter ?? .zero) + backOff(after: made) * chance
        // An attempt that is over as it begins would only lose the answer that is there.
        if let timeLeft, delay >= timeLeft { return nil }
        if let totalTime, elapsed + delay > totalTime { return nil }
        return delay
    }

    /// The longest delay after so many attempts, without what the server asks for.
    private func backOff(after made: Int) -> Duration {
        // Delays of ages would overflow.
        let most = min(max(maximumDelay, .zero), .seconds(1 << 40))
        var delay = max(baseDelay, .zero)
        for _ in 1..<min(max(made, 1), 64) where delay < most { delay = delay * 2 }
        return min(delay, most)
    }

    /// Whether a request that was answered by a status is sent again.
    func covers(status: Int, isIdempotent: Bool) -> Bool {
        // Requests that are sent once do not pay for the rest.
        attempts > 1 && statuses.contains(status) && isIdempotent
    }

    /// Whether a request that failed is sent again.
    func covers(_ failure: RequestError.Kind, in phase: RequestError.Phase, isIdempotent: Bool) -> Bool {
        guard attempts > 1, failures.contains(failure) else { return false }
        // Before it was connected nothing of it can have gone.
        return isIdempotent || phase == .connecting
    }
}
