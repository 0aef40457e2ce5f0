/// What carries one request to a server and its response back.
///
/// A transport sends once: it follows no redirect, keeps no cookie, waits as long as it is let, and hands the body over
/// as it came. All of that is decided above it, the same for every transport.
public protocol Transport: Sendable {
    /// Begins to send; the handler is told of everything, in order and by one thread at a time, until it was told the
    /// end. The first call may come before this function returns.
    func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask
}
