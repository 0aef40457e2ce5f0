/// What a transport tells of one request.
public protocol TransportHandler: AnyObject, Sendable {
    /// The request begins or ends to wait for one of the connections that the transport allows to its host: it is not
    /// connecting meanwhile.
    func transportIsWaiting(_ isWaiting: Bool)

    /// The connection is there, the request goes now.
    func transportDidConnect()

    /// So many bytes of the body were handed to the system since it was opened last.
    func transportDidSend(_ bytes: Int64)

    /// Bytes of a head came that is not whole yet, or of an informational response: nothing to take, but a sign of life.
    func transportDidReceiveHeadBytes()

    /// The head of the final response came; informational responses are passed over.
    func transportDidReceive(_ head: ResponseHead)

    /// Bytes of the body came; they are taken in any case.
    ///
    /// - Returns: Whether more may come now; after false none come until the task is resumed, though a piece that was
    ///   under way may.
    func transportDidReceive(_ bytes: RawSpan) -> Bool

    /// The durations of the parts of the request, before its end; transports that measure none need not call this.
    func transportDidCollect(_ metrics: RequestMetrics)

    /// The end: nil after a whole response. Nothing is told afterwards.
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
