/// A request that a transport carries.
public protocol TransportTask: Sendable {
    /// Ends it soon, with a failure of kind `cancelled`; without effect after the end.
    func cancel()

    /// Lets bytes of the response come again after the handler had answered false: it is called once for each such
    /// answer, by any thread, and perhaps before the transport has the answer.
    func resume()
}
