/// The interface of this machine by which packets leave.
public struct NetworkInterface: Sendable, Hashable {
    /// What an interface sends by.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A wireless local network.
        case wifi
        /// A mobile network.
        case cellular
        /// A cable, or what passes for one, as in a virtual machine.
        case wired
        /// This machine itself.
        case loopback
        /// Anything else, as a tunnel.
        case other
    }

    /// What it sends by.
    public var kind: Kind
    /// Its name in the system, as `eth0`; empty if it is not known.
    public var name: String
    /// Whether a connection has to be opened first, as a VPN on demand; told on Apple platforms.
    public var isConnectionRequired: Bool

    /// An interface of a kind.
    public init(_ kind: Kind, name: String = "", isConnectionRequired: Bool = false) {
        self.kind = kind
        self.name = name
        self.isConnectionRequired = isConnectionRequired
    }
}

extension NetworkInterface: CustomStringConvertible {
    /// The name and the kind, as `eth0 (wired)`.
    public var description: String { name.isEmpty ? kind.rawValue : "\(name) (\(kind.rawValue))" }
}
