extension ResponseHead {
    /// How long the server asks to wait, in `Retry-After` (RFC 9110 §10.2.3); nil if it does not, or not so that it can
    /// be understood.
    ///
    /// A date is taken relative to the one at which the response was made, so that it does not matter how clocks are set;
    /// of several fields the longest holds.
    ///
    /// - Parameter now: For a date in a response that does not tell when it was made.
    func retryAfter(now: Date) -> Duration? {
        headers.values(for: "Retry-After").compactMap { text in
            if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                // Numbers without bounds would overflow; so long nobody waits.
                return .seconds(min(Int64(text) ?? .max, 1 << 40))
            }
            let made = headers["Date"].flatMap { Date(httpDate: $0, now: now) } ?? now
            return Date(httpDate: text, now: now).map { .seconds(max($0.timeIntervalSince(made), 0)) }
        }.max()
    }
}
