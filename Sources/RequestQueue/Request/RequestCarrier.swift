/// Performs a request up to its outcome: with one exchange, or with several consecutive ones.
package protocol RequestCarrier: AnyObject, Sendable {
    /// The current exchange.
    var exchange: Exchange { get }

    /// Starts; has no effect after a cancellation.
    func start()

    /// Cancels the request, unless it has an outcome.
    func cancel()
}

extension Exchange: RequestCarrier {
    package var exchange: Exchange { self }
}

extension RESTRequest {
    /// Creates a carrier for a request that is sent without a queue.
    func carrier(
        delivery: Exchange.Delivery? = nil, observer: (@Sendable (ExchangeEvent) -> Void)? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> any RequestCarrier {
        if backgroundPolicy == .none {
            Exchange(self, delivery: delivery, observer: observer, completion: completion)
        } else {
            UnqueuedRequest(self, delivery: delivery, observer: observer, completion: completion)
        }
    }
}
