/// A server that the matrix runs against.
enum Site: String, Sendable, CaseIterable {
    /// The server of the package's own tests, in this process.
    case loopback = "ours"
    /// A fault server of other make, named by CHAOS_SERVER.
    case independent
    /// An ordinary server.
    case nginx
    /// A network of its own, on Linux and as root: the fault brings its servers.
    case network = "own network"
    /// None: nothing is sent, or the fault brings its own.
    case none = "-"
}
