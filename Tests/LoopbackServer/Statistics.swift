/// What the server has counted since it was started.
public struct Statistics: Sendable, Hashable {
    /// Requests whose head was read.
    public internal(set) var requests = 0
    /// The same by the target's path.
    public internal(set) var requestsByPath: [String: Int] = [:]
    /// Connections taken.
    public internal(set) var connections = 0
    /// Connections not yet closed.
    public internal(set) var openConnections = 0
    /// Requests that RFC 9112 does not allow and that were answered with 400.
    public internal(set) var malformedRequests = 0
    /// Why, the last 100 of them.
    public internal(set) var malformations: [String] = []
}
