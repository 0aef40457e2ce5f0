/// Whether a packet for a host could leave this machine; that the host answers is not said by it.
public enum ReachabilityState: Sendable, Hashable {
    /// It is not known yet, or the system does not tell.
    case indeterminate
    /// There is a way to the host, which begins at an interface.
    case reachable(via: NetworkInterface)
    /// There is no way to the host.
    case notReachable(Cause)

    /// Why there is no way to a host.
    public enum Cause: Sendable, Hashable {
        /// No interface has a route to the host's addresses, as without a network or in airplane mode.
        case noRoute
        /// There is a route, and its interface is down or has no carrier: a cable is pulled, a station out of reach.
        case noCarrier(interface: String)
        /// Nobody knows an address of the host.
        case hostNotFound
        /// Whoever knows the addresses of hosts gave no answer, and no earlier answer is known.
        case noNameService
        /// The user or a profile keeps the application from the networks that are there; told on Apple platforms.
        case notPermitted
    }

    /// Whether a request may be tried: everything but ``notReachable(_:)``, so also while it is indeterminate.
    public var isReachable: Bool {
        if case .notReachable = self { false } else { true }
    }

    /// Whether it is known: everything but ``indeterminate``.
    public var isDetermined: Bool { self != .indeterminate }

    /// The interface at which the way begins; nil if there is no way, or none is known.
    public var interface: NetworkInterface? {
        if case .reachable(let interface) = self { interface } else { nil }
    }

    /// Whether the way goes by a wireless local network.
    public var isReachableViaWiFi: Bool { interface?.kind == .wifi }

    /// Whether the way goes by a mobile network; RestKit calls it WWAN.
    public var isReachableViaCellular: Bool { interface?.kind == .cellular }

    /// Whether the way has to be opened first, as a VPN on demand; a request opens it.
    public var isConnectionRequired: Bool { interface?.isConnectionRequired == true }
}

extension ReachabilityState: CustomStringConvertible {
    /// The state as words for a log, as `reachable via eth0 (wired)` or `not reachable: eth0 has no carrier`.
    public var description: String {
        switch self {
        case .indeterminate: "indeterminate"
        case .reachable(let interface): "reachable via \(interface)"
        case .notReachable(let cause): "not reachable: \(cause)"
        }
    }
}

extension ReachabilityState.Cause: CustomStringConvertible {
    /// The cause as a sentence without its full stop.
    public var description: String {
        switch self {
        case .noRoute: "no network leads to the host"
        case .noCarrier(let interface): "\(interface) has no carrier"
        case .hostNotFound: "nobody knows an address of the host"
        case .noNameService: "no name server answers"
        case .notPermitted: "the application may not use the networks that are there"
        }
    }
}
