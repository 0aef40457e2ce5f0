/// Receives the events of one request from a transport.
public protocol TransportHandler: AnyObject, Sendable {
    /// The request started or stopped waiting for one of the connections that the transport allows for its host; it is not
    /// connecting meanwhile.
    func transportIsWaiting(_ isWaiting: Bool)

    /// The connection is established, and the request is sent now.
    func transportDidConnect()

    /// The number of bytes of the body that the system has accepted since the body was opened last.
    func transportDidSend(_ bytes: Int64)

    /// Bytes of an incomplete head, or of an informational response, were received.
    func transportDidReceiveHeadBytes()

    /// The head of the final response was received; informational responses are not reported.
    func transportDidReceive(_ head: ResponseHead)

    /// Bytes of the body were received, which the handler accepts in any case.
    ///
    /// - Returns: Whether more bytes may be received now. After `false`, the transport pauses until the task is resumed;
    ///   one more piece may follow.
    func transportDidReceive(_ bytes: RawSpan) -> Bool

    /// The durations of the parts of the request, before its end; transports that measure none need not call this.
    func transportDidCollect(_ metrics: RequestMetrics)

    /// The end of the request: `nil` after a complete response. It is the last call.
    func transportDidFinish(_ failure: TransportFailure?)
}

extension TransportHandler {
    /// Does nothing.
    public func transportIsWaiting(_ isWaiting: Bool) {}

    /// Does nothing.
    public func transportDidReceiveHeadBytes() {}

    /// Does nothing.
    public func transportDidCollect(_ metrics: RequestMetrics) {}
}
