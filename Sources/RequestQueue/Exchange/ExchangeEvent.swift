/// What happens to a request between its start and its outcome, told by the transport's thread: who listens must not block.
package enum ExchangeEvent: Sendable {
    /// The request and its body went wholly; once, and always before the server's response is the outcome. What the cache
    /// has is loaded without it.
    case didSend
    /// Bytes went or came.
    case progress(RequestProgress)
    /// It will be sent again; what it was told of the bytes before does not count any more.
    case willRetry(RequestRetry)
    /// It is time for the next attempt, which begins when the observer calls ``Exchange/sendAgain()``.
    case awaitsTurn
}
