/// A server for the matrix.
enum Site: String, Sendable, CaseIterable {
    /// The server of the package's own tests, in this process.
    case loopback = "ours"
    /// An independent fault server, named by CHAOS_SERVER.
    case independent
    /// An ordinary server.
    case nginx
    /// A separate network, on Linux and as root: the fault starts its servers.
    case network = "own network"
    /// No server: nothing is sent, or the fault starts its own.
    case none = "-"
}
