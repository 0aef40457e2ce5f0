import RequestQueue

/// A route: matches requests and provides their responses.
struct StubRoute: Sendable, CustomStringConvertible {
    enum Outcome: Sendable {
        case answer(bodyLimit: Int, @Sendable (StubRequest) -> StubResponse)
        /// The request fails before it is sent.
        case failure(TransportFailure)
    }

    let outcome: Outcome
    private let method: HTTPMethod
    private let pattern: String
    /// The scheme, host and port, if the pattern contains them.
    private let origin: String?
    private let parts: [Substring]

    init(_ method: HTTPMethod, _ pattern: String, outcome: Outcome) {
        self.method = method
        self.pattern = pattern
        self.outcome = outcome
        var path = Substring(pattern)
        if let scheme = pattern.firstRange(of: "://") {
            path = pattern[scheme.upperBound...].drop { $0 != "/" }
            origin = String(pattern[..<path.startIndex]).lowercased()
        } else {
            origin = nil
        }
        parts = path.split(separator: "/", omittingEmptySubsequences: false)
    }

    var description: String { "\(method) \(pattern)" }

    /// Returns the values of the pattern's parameters; `nil` if the request does not match.
    func parameters(of request: TransportRequest) -> [String: String]? {
        guard request.method == method, origin == nil || origin == request.url.origin else { return nil }
        let path = request.url.path(percentEncoded: true)
        let given = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.last == "*" ? given.count >= parts.count : given.count == parts.count else { return nil }
        var parameters: [String: String] = [:]
        for (part, text) in zip(parts, given) {
            if part == "*" { break }
            let value = decoded(text)
            if part.hasPrefix(":"), !value.isEmpty {
                parameters[String(part.dropFirst())] = value
            } else if part != value {
                return nil
            }
        }
        return parameters
    }
}

/// Decodes the percent-encoding of a path component.
private func decoded(_ part: Substring) -> String {
    var components = URLComponents()
    components.percentEncodedPath = "/" + part
    return String(components.path.dropFirst())
}

extension URL {
    /// The scheme, host and port, such as `https://example.com:8443`.
    fileprivate var origin: String {
        "\(scheme ?? "")://\(host(percentEncoded: true) ?? "")\(port.map { ":\($0)" } ?? "")".lowercased()
    }
}
