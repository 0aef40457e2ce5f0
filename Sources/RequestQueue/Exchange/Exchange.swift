/// One request from its start to its one outcome: redirects, time-outs, content codings and limits, over any transport.
package final class Exchange: Sendable {
    /// Where the body of the response goes.
    package enum Delivery: Sendable {
        case memory
        /// A file that is there, whole, only after success.
        case file(URL)
    }

    package init(
        _ request: RESTRequest, delivery: Delivery = .memory,
        observer: (@Sendable (ExchangeEvent) -> Void)? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) {}

    package func start() {}

    /// Ends it as cancelled, unless it has its outcome.
    package func cancel() {}
}
