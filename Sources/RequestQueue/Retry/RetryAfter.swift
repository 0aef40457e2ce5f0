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
