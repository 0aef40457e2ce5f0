extension RESTClient {
    /// Shuts the client down: running requests end, later ones fail, and idle connections are closed.
    ///
    /// ```swift
    /// await client.shutdown()
    /// ```
    ///
    /// Returns when all requests of the client that were running have ended, and their responses are stored in the cache:
    /// call it at the end of a command line tool. Requests that are sent after the call, or
    /// started by a queue, fail with an error of kind ``RequestError/Kind/clientShutDown``. If the task that waits is
    /// cancelled, the running requests are cancelled.
    ///
    /// Idle connections of the client's transport are closed, also those of other clients with the same transport, which
    /// connect again. A client need not be shut down before it is released.
    ///
    /// - Parameter cancelsRequests: Whether running requests are cancelled. Defaults to `false`: they finish.
    public func shutdown(cancelsRequests: Bool = false) async {
        let template = currentTemplate
        await template.activeRequests?.shutDown(cancelsRequests: cancelsRequests)
        await template.cache?.flush()
        template.transport.closeIdleConnections()
    }
}
