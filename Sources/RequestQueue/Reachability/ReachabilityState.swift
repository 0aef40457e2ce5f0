/// Whether packets to a host can leave this machine.
///
/// The state does not say whether the host responds.
public enum ReachabilityState: Sendable, Hashable {
    /// The state is not known yet, or the system does not provide it.
    case indeterminate
    /// There is a route to the host, through an interface.
    case reachable(via: NetworkInterface)
    /// There is no route to the host.
    case notReachable(Cause)

    /// The reason why a host cannot be reached.
    public enum Cause: Sendable, Hashable {
        /// No interface has a route to the host's addresses, for example without a network or in airplane mode.
        case noRoute
        /// The interface of the route is down or has no carrier: a cable is unplugged, or an access point is out of
        /// range.
        case noCarrier(interface: String)
        /// The host name does not exist.
        case hostNotFound
        /// No name server responded, and no earlier answer is known.
        case noNameService
        /// The user or a profile denies the application the available networks; reported on Apple platforms only.
        case notPermitted
    }

    /// Whether a request may be tried: `true` for all states except ``notReachable(_:)``, including ``indeterminate``.
    public var isReachable: Bool {
        if case .notReachable = self { false } else { true }
    }

    /// Whether the state is known: `true` for all states except ``indeterminate``.
    public var isDetermined: Bool { self != .indeterminate }

    /// The interface of the route; `nil` if there is no route, or if the interface is unknown.
    public var interface: NetworkInterface? {
        if case .reachable(let interface) = self { interface } else { nil }
    }

    /// Whether the route uses a wireless local network.
    public var isReachableViaWiFi: Bool { interface?.kind == .wifi }

    /// Whether the route uses a mobile network (WWAN in RestKit).
    public var isReachableViaCellular: Bool { interface?.kind == .cellular }

    /// Whether a connection has to be established first, such as an on-demand VPN; a request establishes it.
    public var isConnectionRequired: Bool { interface?.isConnectionRequired == true }
}

extension ReachabilityState: CustomStringConvertible {
    /// The state as text for logs, such as `reachable via eth0 (wired)` or `not reachable: eth0 has no carrier`.
    public var description: String {
        switch self {
        case .indeterminate: "indeterminate"
        case .reachable(let interface): "reachable via \(interface)"
        case .notReachable(let cause): "not reachable: \(cause)"
        }
    }
}

extension ReachabilityState.Cause: CustomStringConvertible {
    /// The cause as a sentence without its period.
    public var description: String {
        switch self {
        case .noRoute: "no route to the host"
        case .noCarrier(let interface): "\(interface) has no carrier"
        case .hostNotFound: "the host has no address"
        case .noNameService: "no name server responds"
        case .notPermitted: "the application is not permitted to use the available networks"
        }
    }
}

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
