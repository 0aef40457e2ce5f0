extension Cookie {
    /// The maximum size of name and value together, and of an attribute, in bytes.
    private static let sizeLimit = 4096
    private static let attributeLimit = 1024

    /// Parses a `Set-Cookie` field of a response (RFC 6265 §5.2, §5.3).
    ///
    /// The security rules of later drafts apply, too: a cookie for TLS only is accepted over TLS only, and a cookie
    /// with the prefix `__Secure-` or `__Host-` must meet the requirements of the prefix. There is no list of public
    /// suffixes: among domains of other hosts, only those without a dot, such as `com`, are rejected.
    ///
    /// - Returns: `nil` if the field is not a valid cookie, or if the URL must not set it.
    init?(_ field: String, from url: URL, at now: Date) {
        guard let host = url.cookieHost,
            field.utf8.allSatisfy(isTextOfField)
        else { return nil }
        let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let (name, given) = nameAndValue(parts[0])
        guard let value = given, !name.isEmpty,
            name.utf8.count + value.utf8.count <= Cookie.sizeLimit
        else { return nil }

        var domain: String?
        var path: String?
        var expires: Date?
        var maximumAge: Date?
        var isSecure = false
        var isHTTPOnly = false
        for part in parts.dropFirst() {
            let (attribute, given) = nameAndValue(part)
            let text = given ?? ""
            guard text.utf8.count <= Cookie.attributeLimit else { continue }
            switch attribute.lowercased() {
            case "expires": expires = Date(cookieDate: text) ?? expires
            case "max-age": maximumAge = date(after: text, now) ?? maximumAge
            case "domain" where !text.isEmpty:
                domain = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
            case "path": path = text.hasPrefix("/") ? text : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            default: break
            }
        }

        if let domain, domain != host, !domain.contains(".") || !host.isCookieDomain(domain) { return nil }
        if isSecure, !url.isSecure { return nil }
        let prefixed = name.lowercased()
        if prefixed.hasPrefix("__secure-"), !isSecure { return nil }
        if prefixed.hasPrefix("__host-"), !isSecure || domain != nil || path != "/" { return nil }
        self.init(
            name: name, value: value, domain: domain ?? host,
            isHostOnly: domain == nil || domain?.contains(".") == false,
            path: path ?? url.cookiePath, expires: maximumAge ?? expires, isSecure: isSecure, isHTTPOnly: isHTTPOnly)
    }
}

/// Returns the expiry date of a `Max-Age`; `nil` if it is not a number.
private func date(after text: String, _ now: Date) -> Date? {
    let digits = text.utf8.dropFirst(text.utf8.first == UInt8(ascii: "-") ? 1 : 0)
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else {
        return nil
    }
    guard digits.count == text.utf8.count else { return .distantPast }
    // A number that overflows is treated as unlimited.
    guard let seconds = Int64(text), seconds < 1 << 40 else { return .distantFuture }
    return seconds > 0 ? now.addingTimeInterval(Double(seconds)) : .distantPast
}

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
    let found = token.prefix(while: isDigit)
    return digits.contains(found.count) ? found.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
}

/// Parses a time such as `7:30:05`, which can be followed by any characters except digits.
private func clock(_ token: some Collection<UInt8>) -> (Int, Int, Int)? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2,
        parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit),
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
