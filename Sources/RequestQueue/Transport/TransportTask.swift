/// A request that a transport is sending.
public protocol TransportTask: Sendable {
    /// Cancels the request, which ends with a failure of kind `cancelled`; has no effect after the end.
    func cancel()

    /// Resumes the response after the handler returned `false`.
    ///
    /// It is called once for each such result, by any thread, and possibly before the transport has the result.
    func resume()
}
