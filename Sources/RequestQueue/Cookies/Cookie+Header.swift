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
        guard let (name, value) = nameAndValue(parts[0]), let value, !name.isEmpty,
            name.utf8.count + value.utf8.count <= Cookie.sizeLimit
        else { return nil }

        var domain: String?
        var path: String?
        var expires: Date?
        var maximumAge: Date?
        var isSecure = false
        var isHTTPOnly = false
        for part in parts.dropFirst() {
            guard let (attribute, given) = nameAndValue(part) else { continue }
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

/// Splits a text at the first equals sign and trims both sides; returns `nil` if the text is blank.
private func nameAndValue(_ text: Substring.UTF8View) -> (name: String, value: String?)? {
    let sides = text.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let name = trimmingBlanks(sides[0])
    if sides.count == 1 { return name.isEmpty ? nil : (name, nil) }
    return (name, trimmingBlanks(sides[1]))
}

/// Returns the expiry date of a `Max-Age`; `nil` if it is not a number.
private func date(after text: String, _ now: Date) -> Date? {
    let digits = text.utf8.dropFirst(text.utf8.first == UInt8(ascii: "-") ? 1 : 0)
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        return nil
    }
    guard digits.count == text.utf8.count else { return .distantPast }
    // A number that overflows is treated as unlimited.
    guard let seconds = Int64(text), seconds < 1 << 40 else { return .distantFuture }
    return seconds > 0 ? now.addingTimeInterval(Double(seconds)) : .distantPast
}
