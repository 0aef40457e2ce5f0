/// How old a response is and how long it is fresh (RFC 9111 §4.2), in seconds.
extension CachedResponse {
    /// How long it is fresh, as its server said; 0 if it said nothing, or nothing that can be understood.
    var lifetime: Double {
        if let seconds = CacheControl(headers).seconds("max-age") { return seconds }
        guard let expires = headers["Expires"], let end = Date(httpDate: expires) else { return 0 }
        return max(0, end.timeIntervalSince(date))
    }

    /// How old it is, reckoned from the server's dates and from our own; the greater counts.
    func age(at now: Date) -> Double {
        let apparent = max(0, responseTime.timeIntervalSince(date))
        let corrected = toldAge + max(0, responseTime.timeIntervalSince(requestTime))
        return max(apparent, corrected) + max(0, storedFor(at: now))
    }

    /// How long ago it came, or was confirmed last; below 0 if that is still to come by a clock that was set back.
    func storedFor(at now: Date) -> Double { now.timeIntervalSince(responseTime) }

    /// Whether it may be used without asking, by what HTTP says.
    ///
    /// - Parameter staleness: How long after its lifetime the request takes it, in seconds.
    func isFresh(at now: Date, staleness: Double = 0) -> Bool {
        let control = CacheControl(headers)
        // Of what will be, nobody knows the age.
        guard !control.has("no-cache"), storedFor(at: now) >= 0 else { return false }
        return age(at: now) < lifetime + (control.has("must-revalidate") ? 0 : staleness)
    }

    /// How long after its lifetime it may stand in for an error, as its server said (RFC 5861 §4).
    var staleIfError: Double {
        let control = CacheControl(headers)
        let isForbidden = control.has("no-cache") || control.has("must-revalidate")
        return isForbidden ? 0 : control.seconds("stale-if-error") ?? 0
    }

    /// How old it was already when it came, as caches on its way say; the first of several counts (RFC 9111 §5.1).
    private var toldAge: Double {
        let first = headers["Age"]?.utf8.prefix { $0 != UInt8(ascii: ",") }
        return first.flatMap { CacheControl.seconds(trimmingBlanks($0)) } ?? 0
    }

    /// When the server made it; when it came, if the server does not tell (RFC 9110 §6.6.1).
    private var date: Date { headers["Date"].flatMap { Date(httpDate: $0) } ?? responseTime }
}
