/// What the server has counted since it was started.
package struct Statistics: Sendable, Hashable {
    /// Requests whose head was read.
    package internal(set) var requests = 0
    /// The same by the target's path.
    package internal(set) var requestsByPath: [String: Int] = [:]
    /// Connections taken.
    package internal(set) var connections = 0
    /// Connections not yet closed.
    package internal(set) var openConnections = 0
    /// Requests that RFC 9112 does not allow and that were answered with 400.
    package internal(set) var malformedRequests = 0
    /// Why, the last 100 of them.
    package internal(set) var malformations: [String] = []
}
