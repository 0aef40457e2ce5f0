/// An event between the start of a request and its outcome.
///
/// Events are sent on the thread of the transport, so observers must not block.
package enum ExchangeEvent: Sendable {
    /// The request and its body were sent completely.
    ///
    /// Sent once, and always before a response of the server is the outcome. It is not sent for a response loaded from
    /// the cache.
    case didSend
    /// Bytes were sent or received.
    case progress(RequestProgress)
    /// The request will be sent again; earlier progress no longer applies.
    case willRetry(RequestRetry)
    /// The next attempt is due; it starts when the observer calls ``Exchange/sendAgain()``.
    case awaitsTurn
}
