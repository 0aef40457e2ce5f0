/// The counts of the server since its start.
public struct Statistics: Sendable, Hashable {
    /// Requests with a complete head.
    public internal(set) var requests = 0
    /// Requests by the target's path.
    public internal(set) var requestsByPath: [String: Int] = [:]
    /// Accepted connections.
    public internal(set) var connections = 0
    /// Open connections.
    public internal(set) var openConnections = 0
    /// Requests that RFC 9112 does not allow, with status 400.
    public internal(set) var malformedRequests = 0
    /// The reasons of the last 100 of them.
    public internal(set) var malformations: [String] = []
}
