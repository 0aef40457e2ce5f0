import RequestQueue

/// Which requests are answered, and how.
struct StubRoute: Sendable, CustomStringConvertible {
    enum Outcome: Sendable {
        case answer(bodyLimit: Int, @Sendable (StubRequest) -> StubResponse)
        /// Nothing is sent.
        case failure(TransportFailure)
    }

    let outcome: Outcome
    private let method: HTTPMethod
    private let pattern: String
    /// Scheme, host and port, if the pattern has them.
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

    /// The values of the pattern's parameters, if the request is one of the route's.
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

/// A part of a URL's path without its percent-encoding.
private func decoded(_ part: Substring) -> String {
    var components = URLComponents()
    components.percentEncodedPath = "/" + part
    return String(components.path.dropFirst())
}

extension URL {
    /// Scheme, host and port, as `https://example.com:8443`.
    fileprivate var origin: String {
        "\(scheme ?? "")://\(host(percentEncoded: true) ?? "")\(port.map { ":\($0)" } ?? "")".lowercased()
    }
}
