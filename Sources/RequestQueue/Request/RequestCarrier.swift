/// What brings a request to its one outcome: an exchange, or several, one after the other.
package protocol RequestCarrier: AnyObject, Sendable {
    /// The exchange that carries it now.
    var exchange: Exchange { get }

    /// Begins; nothing happens if it has been cancelled.
    func start()

    /// Ends it as cancelled, unless it has its outcome.
    func cancel()
}

extension Exchange: RequestCarrier {
    package var exchange: Exchange { self }
}

extension RESTRequest {
    /// What carries it, when it is sent without a queue.
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
