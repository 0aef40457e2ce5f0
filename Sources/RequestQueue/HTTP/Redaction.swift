// Printed values contain no secrets: not with `print`, with `dump`, or in a `Mirror`.

/// The replacement for secrets in printed values.
package let redactionMark = "REDACTED"

/// Whether the name of a header field, a query item or a form field suggests a secret value.
///
/// ```swift
/// isSecretName("X-API-Key")   // true
/// ```
package func isSecretName(_ name: String) -> Bool {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    let joined = words.joined()
    if joined == "key" || joined.hasSuffix("apikey") || joined.hasSuffix("accesskey") { return true }
    return secretParts.contains { joined.contains($0) } || words.contains { secretWords.contains(String($0)) }
}

private let secretParts = [
    "authorization", "cookie", "token", "secret", "password", "passwd", "credential", "signature",
]
private let secretWords: Set<String> = [
    "auth", "csrf", "jwt", "otp", "pin", "pwd", "session", "sessionid", "sid", "sig",
]

/// Returns the text of an error for the cause of another one.
///
/// Errors of coders are described without values, and those of Foundation without `userInfo`, which contains URLs.
package func causeText(of error: any Error) -> String {
    switch error {
    case let error as DecodingError: return error.safeText
    case let error as EncodingError: return error.safeText
    default:
        let text = "\(error)"
        let end = text.firstRange(of: "UserInfo={")?.lowerBound ?? text.endIndex
        return printable(String(text[..<end]))
    }
}

extension DecodingError {
    /// What was expected, and the path; without the context's text, which can contain values.
    var safeText: String {
        switch self {
        case .typeMismatch(let type, let context): "expected \(type), found another type at \(context.place)"
        case .valueNotFound(let type, let context): "expected \(type), found null at \(context.place)"
        case .keyNotFound(let key, let context): "missing key '\(printable(key.stringValue))' at \(context.place)"
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "invalid JSON or an invalid value"
        case .dataCorrupted(let context): "invalid value at \(context.place)"
        @unknown default: "\(DecodingError.self)"
        }
    }
}

extension EncodingError {
    fileprivate var safeText: String {
        if case .invalidValue(let value, let context) = self {
            let path = codingPathText(context.codingPath)
            return "invalid value of type \(type(of: value)) at \(path)"
        }
        return "\(EncodingError.self)"
    }
}

extension DecodingError.Context {
    fileprivate var place: String { codingPathText(codingPath) }
}

private func codingPathText(_ path: [any CodingKey]) -> String {
    path.reduce("$") { text, key in
        text + (key.intValue.map { "[\($0)]" } ?? ".\(printable(key.stringValue))")
    }
}

extension CustomReflectable {
    /// A mirror that shows only these children.
    func mirror(_ children: KeyValuePairs<String, Any>) -> Mirror { Mirror(self, children: children) }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields as lines, `Name: value`; the values of secret fields, such as `Authorization` and `Cookie`, are not
    /// shown.
    public var description: String { fields.map(\.description).joined(separator: "\n") }

    /// The fields, without the values of secret ones.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields.map(\.description)) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// The field as a line, `Name: value`; the value of a secret field and the queries of URLs are not shown.
    public var description: String { "\(name): \(shownValue)" }

    /// Name and value; the value of a secret field and the queries of URLs are not shown.
    public var customMirror: Mirror { mirror(["name": name, "value": shownValue]) }

    private var shownValue: String { isSecretName(name) ? redactionMark : replacingQueries { _ in "?…" } }

    /// Returns the value, in which a function replaces the queries and fragments of URLs.
    package func replacingQueries(_ replacement: (Substring) -> String) -> String {
        guard ["location", "content-location", "link", "referer", "refresh"].contains(name.lowercased()) else {
            return value
        }
        // A query ends at `>` in `Link`.
        var replaced = ""
        var rest = value[...]
        while let mark = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            let end = rest[mark...].firstIndex(of: ">") ?? rest.endIndex
            replaced += rest[..<mark] + replacement(rest[mark..<end])
            rest = rest[end...]
        }
        return replaced + rest
    }
}

extension URL {
    /// The URL for messages: without user name, password, query and fragment.
    package var shown: String {
        var shown = ArraySlice(absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") })
        if let start = endOfScheme(shown) {
            let authority = shown[start...].prefix { !"/?\\".utf8.contains($0) }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { shown.removeSubrange(start...at) }
        }
        if let mark = shown.firstIndex(of: UInt8(ascii: "?")) { shown = shown[..<mark] + "?…".utf8 }
        return String(decoding: shown, as: UTF8.self)
    }
}
