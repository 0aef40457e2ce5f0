/// The age and freshness of a stored response in seconds (RFC 9111 §4.2).
extension CachedResponse {
    /// The freshness lifetime that the server declared; 0 if it is missing or invalid.
    var lifetime: Double {
        if let seconds = CacheControl(headers).seconds("max-age") { return seconds }
        guard let expires = headers["Expires"], let end = Date(httpDate: expires) else { return 0 }
        return max(0, end.timeIntervalSince(date))
    }

    /// Returns the age, calculated from the server's dates and from local times; the greater one is used.
    func age(at now: Date) -> Double {
        let apparent = max(0, responseTime.timeIntervalSince(date))
        let corrected = receivedAge + max(0, responseTime.timeIntervalSince(requestTime))
        return max(apparent, corrected) + max(0, storedFor(at: now))
    }

    /// Returns the time since it was received or validated; negative if the clock was set back.
    func storedFor(at now: Date) -> Double { now.timeIntervalSince(responseTime) }

    /// Whether HTTP allows using the response without validation.
    ///
    /// - Parameter staleness: The number of seconds after its lifetime for which the request accepts the response.
    func isFresh(at now: Date, staleness: Double = 0) -> Bool {
        let control = CacheControl(headers)
        // The age is unknown if the response was received in the future.
        guard !control.has("no-cache"), storedFor(at: now) >= 0 else { return false }
        return age(at: now) < lifetime + (control.has("must-revalidate") ? 0 : staleness)
    }

    /// The number of seconds after its lifetime for which it may replace an error (RFC 5861 §4).
    var staleIfError: Double {
        let control = CacheControl(headers)
        let isForbidden = control.has("no-cache") || control.has("must-revalidate")
        return isForbidden ? 0 : control.seconds("stale-if-error") ?? 0
    }

    /// The `Age` when it was received, as intermediate caches report it; the first value is used (RFC 9111 §5.1).
    private var receivedAge: Double {
        let first = headers["Age"]?.utf8.prefix { $0 != UInt8(ascii: ",") }
        return first.flatMap { CacheControl.seconds(trimmingBlanks($0)) } ?? 0
    }

    /// The date at which the server created it; defaults to when it was received (RFC 9110 §6.6.1).
    private var date: Date { headers["Date"].flatMap { Date(httpDate: $0) } ?? responseTime }
}
