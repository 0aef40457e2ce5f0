/// Sends requests and receives their responses.
///
/// A transport sends a request once, without redirects, cookies, timeouts or decompression: these are the same for every
/// transport, and are implemented above it.
public protocol Transport: Sendable {
    /// Starts sending a request.
    ///
    /// The handler is called in order, by one thread at a time, until its `transportDidFinish`. The first call may occur
    /// before this function returns.
    func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask

    /// Closes the connections that no request uses, and others when their requests have ended; later requests connect
    /// again.
    func closeIdleConnections()
}

extension Transport {
    /// Does nothing, for transports without connections.
    public func closeIdleConnections() {}
}

/// A request that a transport is sending.
public protocol TransportTask: Sendable {
    /// Cancels the request, which ends with a failure of kind `cancelled`; has no effect after the end.
    func cancel()

    /// Resumes the response after the handler returned `false`.
    ///
    /// It is called once for each such result, by any thread, and possibly before the transport has the result.
    func resume()
}

/// The default transport of clients: libcurl on Linux, URLSession on Apple platforms.
#if CURL
    package let defaultTransport: any Transport = CurlTransport.shared
#else
    package let defaultTransport: any Transport = URLSessionTransport.shared
#endif

/// Receives the events of one request from a transport.
public protocol TransportHandler: AnyObject, Sendable {
    /// The request started or stopped waiting for one of the connections that the transport allows for its host; it is not
    /// connecting meanwhile.
    func transportIsWaiting(_ isWaiting: Bool)

    /// The connection is established, and the request is sent now.
    ///
    /// A transport must call this before the first bytes are sent or received: without it, the request fails when its
    /// ``Timeouts/connect`` expires. A transport without connections calls it when it starts to send.
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
