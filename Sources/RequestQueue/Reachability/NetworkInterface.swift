/// The local network interface through which packets are sent.
public struct NetworkInterface: Sendable, Hashable {
    /// The medium of an interface.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A wireless local network.
        case wifi
        /// A mobile network.
        case cellular
        /// A cable, or an interface that appears as one, for example in a virtual machine.
        case wired
        /// The loopback interface.
        case loopback
        /// Another medium, such as a tunnel.
        case other
    }

    /// The medium.
    public var kind: Kind
    /// The name in the system, such as `eth0`; empty if it is unknown.
    public var name: String
    /// Whether a connection has to be established first, such as an on-demand VPN; reported on Apple platforms only.
    public var isConnectionRequired: Bool

    /// Creates a description of an interface.
    public init(_ kind: Kind, name: String = "", isConnectionRequired: Bool = false) {
        self.kind = kind
        self.name = name
        self.isConnectionRequired = isConnectionRequired
    }
}

extension NetworkInterface: CustomStringConvertible {
    /// Name and kind, such as `eth0 (wired)`.
    public var description: String { name.isEmpty ? kind.rawValue : "\(name) (\(kind.rawValue))" }
}
