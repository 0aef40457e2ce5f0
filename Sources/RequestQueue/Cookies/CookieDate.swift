extension Date {
    /// Reads the date of a cookie by the algorithm of RFC 6265 §5.1.1, which finds day, month, year and time in any order;
    /// nil if one is missing or there is no such date.
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
        guard let time, let day, let month, let year, year >= 1601, (1...days(in: month, year)).contains(day),
            time.0 < 24, time.1 < 60, time.2 < 60
        else { return nil }
        let count = (1..<month).reduce(daysBefore(year) + day - 1) { $0 + days(in: $1, year) }
        self.init(timeIntervalSince1970: Double(count * 86_400 + time.0 * 3600 + time.1 * 60 + time.2))
    }
}

private func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
}

/// The number at the beginning of a token, if it has so many digits.
private func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
    let found = token.prefix { (0x30...0x39).contains($0) }
    return digits.contains(found.count) ? found.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
}

/// The time of a token as `7:30:05`, after which anything but a digit may stand.
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

private func days(in month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
}

/// Days from 1970 to the beginning of a year.
private func daysBefore(_ year: Int) -> Int {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400 - 719_162
}
