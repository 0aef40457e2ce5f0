extension JSONWriter {
    /// ISO 8601 in UTC with milliseconds, as `"2026-11-21T07:23:00.000Z"`, of a finite date.
    ///
    /// Seconds since 1970 outside the years 0 to 9999.
    mutating func date(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        let milliseconds = (seconds * 1000).rounded()
        guard abs(milliseconds) < ISODate.latest * 1000 else { return double(seconds) }
        let (whole, rest) = Int(milliseconds).quotientAndRemainder(dividingBy: 1000)
        let start = count
        buffer.append(.quote)
        let isSpelled = ISODate.append(
            whole: rest < 0 ? whole - 1 : whole, milliseconds: rest < 0 ? rest + 1000 : rest, to: &buffer)
        if isSpelled { return buffer.append(.quote) }
        truncate(to: start)
        double(seconds)
    }
}
