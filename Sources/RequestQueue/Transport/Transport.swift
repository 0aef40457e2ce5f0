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
