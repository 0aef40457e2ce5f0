import Synchronization

/// Watches whether a host can be reached by the networks that this machine has at the moment.
///
/// ```swift
/// let observer = ReachabilityObserver(host: "api.example.com")
/// for await state in observer.changes { print(state) }
/// ```
///
/// Each observer has a state of its own, and goes on while anybody holds it or reads its ``changes``. An IP address is
/// determined when this is made. A name is ``ReachabilityState/indeterminate`` until it was looked up, 5 s at the most;
/// only while many other names hang it may have to wait for its turn before.
///
/// On Linux the kernel tells of changes of links, addresses, routes and rules, to any user; names that nobody knew are
/// looked up again, after 1 s first and every 30 s in the end. Where the kernel cannot be listened to, as in a sandbox
/// without netlink sockets, it is looked every 5 s instead. On Apple platforms the Network framework tells, and of the
/// device only: the name is not looked up.
public final class ReachabilityObserver: Sendable {
    private struct Core {
        var state: ReachabilityState
        var listeners = WeakList<ReachabilityListener>()
        var watch: HostWatch?
        var handler: ReachabilityListener?
    }

    /// The host that is watched, a name or an IP address; nil if it is told by hand.
    public let host: String?
    private let core: Mutex<Core>

    /// Watches a host.
    ///
    /// - Parameter host: A name or an IP address; IPv6 with brackets or without. A port behind it is passed over.
    public init(host: String) {
        let host = Self.host(in: host)
        self.host = host
        core = Mutex(Core(state: .indeterminate))
        let watch = HostWatch(host: host) { [weak self] in self?.set($0) ?? [] }
        core.withLock { $0.watch = watch }
        watch.start()
    }

    /// Watches the host of a URL, as a client's ``RESTClient/baseURL``; a URL without a host is not reachable.
    public convenience init(url: URL) {
        if let host = url.host(percentEncoded: false), !host.isEmpty {
            self.init(host: host)
        } else {
            self.init(initially: .notReachable(.hostNotFound))
        }
    }

    /// Watches nothing, and is told the state by ``report(_:)``: for tests, and for applications that know better.
    public init(initially state: ReachabilityState) {
        host = nil
        core = Mutex(Core(state: state))
    }

    /// What is known now.
    public var state: ReachabilityState { core.withLock { $0.state } }

    /// Tells the state by hand; who listens has it when this returns, or a little later if others tell at the same time.
    ///
    /// With an observer of a host it stands until the next determination.
    public func report(_ state: ReachabilityState) {
        for listener in set(state) { listener.deliver() }
    }

    /// Forgets what is known and determines it anew, as after a return from the background.
    ///
    /// A name is ``ReachabilityState/indeterminate`` meanwhile, an IP address is determined when this returns. What is
    /// told by hand is indeterminate until it is told again.
    public func redetermine() {
        guard let watch = core.withLock({ $0.watch }) else { return report(.indeterminate) }
        watch.determineAnew()
    }

    /// Who is told the state as it is, and then each change, in turn and on no particular thread; nil: nobody.
    public func setHandler(_ handler: (@Sendable (ReachabilityState) -> Void)?) {
        let mailbox = handler.map { handler in Mailbox<ReachabilityState> { handler($0) } }
        let listener = mailbox.map { mailbox in listen { mailbox.post($0) } }
        let former = core.withLock { core in
            defer { core.handler = listener }
            return core.handler
        }
        former?.cancel()
        listener?.deliver()
    }

    /// Has a closure told the state as it is, before this returns, and then each change.
    ///
    /// The closure is called for one state after the other, behind no lock, and must return soon.
    ///
    /// - Returns: What keeps it listening; it ends with the last reference, or by `cancel()`.
    package func observe(_ tell: @escaping @Sendable (ReachabilityState) -> Void) -> ReachabilityListener {
        let listener = listen(tell)
        listener.deliver()
        return listener
    }

    /// A name or an address without its brackets and port.
    private static func host(in text: String) -> String {
        if text.first == "[", let end = text.firstIndex(of: "]") { return String(text[..<end].dropFirst()) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        // Where there are more colons it is an address of IPv6.
        guard parts.count == 2, parts[1].allSatisfy(\.isWholeNumber) else { return text }
        return String(parts[0])
    }

    private func listen(_ tell: @escaping @Sendable (ReachabilityState) -> Void) -> ReachabilityListener {
        let listener = ReachabilityListener(tell)
        _ = core.withLock { core in
            listener.add(core.state)
            return core.listeners.add(listener)
        }
        return listener
    }

    /// Changes the state; it runs no code of others, so that a lock may be held which gives states their order.
    ///
    /// - Returns: Who has to be told, when no lock is held.
    private func set(_ state: ReachabilityState) -> [ReachabilityListener] {
        core.withLock { core in
            guard core.state != state else { return [] }
            core.state = state
            let listeners = core.listeners.living()
            for listener in listeners { listener.add(state) }
            return listeners
        }
    }
}
