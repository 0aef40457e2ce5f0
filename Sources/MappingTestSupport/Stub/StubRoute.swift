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
    private let path: PathTemplate

    init(_ method: HTTPMethod, _ pattern: String, outcome: Outcome) {
        self.method = method
        path = PathTemplate(pattern)
        self.outcome = outcome
    }

    var description: String { "\(method) \(path)" + (path.defect.map { " (invalid path: \($0))" } ?? "") }

    /// Returns the values of the pattern's parameters; `nil` if the request does not match.
    func parameters(of request: TransportRequest) -> [String: String]? {
        request.method == method ? path.match(request.url) : nil
    }
}
