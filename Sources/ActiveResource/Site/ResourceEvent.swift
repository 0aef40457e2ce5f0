/// A request of a resource and its outcome, for logs and metrics.
///
/// ```swift
/// var site = ResourceSite(url)
/// site.onRequest = { print($0) }
/// // GET http://127.0.0.1:3000/people/1.json
/// // --> 200 28 (3.1ms)
/// ```
public struct ResourceEvent: Sendable, CustomStringConvertible {
    /// The request.
    public let request: RESTRequest
    /// The response, or the reason why no response was received.
    public let result: Result<RESTResponse, RequestError>
    /// The time from the start to the outcome.
    public let duration: Duration

    /// The status; 523 if there is no response.
    public var status: Int { (try? result.get().status) ?? 523 }
    /// Whether the event is logged as an error: a status of 400 and above, or no response.
    public var isError: Bool { status >= 400 }

    /// Two lines: the method and the URL without its user and its query, then the status and the length of the body,
    /// or the kind of the failure, and the time.
    public var description: String {
        let outcome =
            switch result {
            case .success(let response): "\(response.status) \(response.body.count)"
            case .failure(let error): "no response: \(error.kind)"
            }
        let milliseconds = duration / .milliseconds(1)
        return """
            \(request.method) \(request.url?.absoluteURL.shown ?? "(no URL)")
            --> \(outcome) (\((milliseconds * 10).rounded() / 10)ms)
            """
    }

    var hasResponse: Bool { if case .success = result { true } else { false } }

    /// The outcome in one line, without the query.
    var logText: String {
        switch result {
        case .success(let response): "\(response.summary), in \(duration)"
        case .failure(let error): error.description
        }
    }
}
