extension Date {
    /// Parses the date of a cookie, with day, month, year and time in any order (RFC 6265 §5.1.1).
    ///
    /// Returns `nil` if a component is missing or the date does not exist.
    init?(cookieDate text: String) {
        var time: (Int, Int, Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        // Leap seconds are invalid in cookies.
        guard let time, let day, let month, let year, year >= 1601, time.2 < 60 else { return nil }
        self.init(utcYear: year, month: month, day: day, hour: time.0, minute: time.1, second: time.2)
    }
}

private func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
}

/// Returns the number at the start of a token if its number of digits is in a range.
private func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
    let found = token.prefix { (0x30...0x39).contains($0) }
    return digits.contains(found.count) ? found.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
}

/// Parses a time such as `7:30:05`, which can be followed by any characters except digits.
private func clock(_ token: some Collection<UInt8>) -> (Int, Int, Int)? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2,
        parts[0].allSatisfy({ (0x30...0x39).contains($0) }), parts[1].allSatisfy({ (0x30...0x39).contains($0) }),
        let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
        let second = number(parts[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
}

private func monthNumber(_ token: some Collection<UInt8>) -> Int? {
    let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    let name = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
    return months.firstIndex(of: name).map { $0 + 1 }
}
