/// A listener of an observer, with the states that were not delivered yet.
///
/// States are appended while a lock is held, which orders them, and delivered after its release.
package typealias ReachabilityListener = Mailbox<ReachabilityState>

/// Observes whether a host can be reached through the current networks of this machine.
///
/// ```swift
/// let observer = ReachabilityObserver(host: "api.example.com")
/// for await state in observer.changes { print(state) }
/// ```
///
/// An observer works as long as it, or a sequence of its ``changes``, is referenced. The state of an IP address is
/// known as soon as the observer is created. The state of a name is ``ReachabilityState/indeterminate`` until it is
/// looked up, for 5 s at most, or longer while many other names hang.
///
/// On Linux, the kernel reports changes of links, addresses, routes and rules; no privileges are required. Names that
/// were not found are looked up again, after 1 s at first and every 30 s in the end. Without netlink sockets, for
/// example in a sandbox, the state is checked every 5 s. On Apple platforms, the Network framework reports the state of
/// the device, and the name is not looked up.
public final class ReachabilityObserver: Sendable {
    private struct Core {
        var state: ReachabilityState
        var listeners = WeakList<ReachabilityListener>()
        var watch: HostWatch?
        var handler: ReachabilityListener?
    }

    /// The observed host, a name or an IP address; `nil` for an observer without a host.
    public let host: String?
    private let core: Mutex<Core>

    /// Creates an observer of a host.
    ///
    /// - Parameter host: A name or an IP address, IPv6 with or without brackets. A port is ignored.
    public init(host: String) {
        let host = Self.host(in: host)
        self.host = host
        core = Mutex(Core(state: .indeterminate))
        let watch = HostWatch(host: host) { [weak self] in self?.set($0) ?? [] }
        core.withLock { $0.watch = watch }
        watch.start()
    }

    /// Creates an observer of the host in a URL, such as ``RESTClient/baseURL``; a URL without a host is not reachable.
    public convenience init(url: URL) {
        if let host = url.host(percentEncoded: false), !host.isEmpty {
            self.init(host: host)
        } else {
            self.init(initially: .notReachable(.hostNotFound))
        }
    }

    /// Creates an observer without a host, whose state is set with ``report(_:)``, for tests or custom checks.
    public init(initially state: ReachabilityState) {
        host = nil
        core = Mutex(Core(state: state))
    }

    /// The current state.
    public var state: ReachabilityState { core.withLock { $0.state } }

    /// Sets the state and notifies listeners, before it returns or shortly after if other threads report states, too.
    ///
    /// For an observer with a host, the state is valid until the next determination.
    public func report(_ state: ReachabilityState) {
        for listener in set(state) { listener.drain() }
    }

    /// Discards the state and determines it again, for example after a return from the background.
    ///
    /// Meanwhile a name is ``ReachabilityState/indeterminate``; an IP address is determined on return. An observer
    /// without a host is indeterminate until the next ``report(_:)``.
    public func redetermine() {
        guard let watch = core.withLock({ $0.watch }) else { return report(.indeterminate) }
        watch.determineAgain()
    }

    /// Sets a handler, which receives the current state and each change, in order, on no particular thread; `nil`
    /// removes it.
    public func setHandler(_ handler: (@Sendable (ReachabilityState) -> Void)?) {
        let mailbox = handler.map { handler in Mailbox<ReachabilityState> { handler($0) } }
        let listener = mailbox.map { mailbox in listen { mailbox.post($0) } }
        let former = core.withLock { core in
            defer { core.handler = listener }
            return core.handler
        }
        former?.close()
        listener?.drain()
    }

    /// Passes the current state, before it returns, and then each change to a closure.
    ///
    /// The closure is called with one state after the other, without a lock, and must return quickly.
    ///
    /// - Returns: A listener; it stops with the last reference to it, or with `close()`.
    package func observe(_ report: @escaping @Sendable (ReachabilityState) -> Void) -> ReachabilityListener {
        let listener = listen(report)
        listener.drain()
        return listener
    }

    /// Returns a name or an address without brackets and port.
    private static func host(in text: String) -> String {
        if text.first == "[", let end = text.firstIndex(of: "]") { return String(text[..<end].dropFirst()) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        // With more colons, it is an IPv6 address.
        guard parts.count == 2, parts[1].allSatisfy(\.isWholeNumber) else { return text }
        return String(parts[0])
    }

    private func listen(_ report: @escaping @Sendable (ReachabilityState) -> Void) -> ReachabilityListener {
        let listener = ReachabilityListener(report)
        _ = core.withLock { core in
            _ = listener.append(core.state)
            return core.listeners.add(listener)
        }
        return listener
    }

    /// Changes the state.
    ///
    /// It does not run code of the user, so that a lock that orders the states may be held.
    ///
    /// - Returns: The listeners to be drained after the release of the lock.
    private func set(_ state: ReachabilityState) -> [ReachabilityListener] {
        // All listeners are held until the lock is released: their deinitializers can run code of the user.
        let listeners = core.withLock { core in
            guard core.state != state else { return [] as [(listener: ReachabilityListener, mustStart: Bool)] }
            core.state = state
            return core.listeners.living().map { (listener: $0, mustStart: $0.append(state)) }
        }
        return listeners.filter(\.mustStart).map(\.listener)
    }
}

extension ReachabilityObserver {
    /// The current state and all later changes, as an asynchronous sequence.
    public var changes: Changes {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ReachabilityState.self, bufferingPolicy: .bufferingNewest(Changes.capacity))
        let listener = observe { continuation.yield($0) }
        return Changes(observer: self, listener: listener, stream: stream)
    }

    /// The states of an observer after a moment; the sequence ends only when the reading task is cancelled.
    ///
    /// It retains its observer. A slow reader receives the newest 64 states. Two loops over the same sequence share its
    /// states; to receive all states in both, read ``ReachabilityObserver/changes`` twice.
    public struct Changes: AsyncSequence, Sendable {
        static let capacity = 64

        let observer: ReachabilityObserver
        let listener: ReachabilityListener
        let stream: AsyncStream<ReachabilityState>

        /// Returns an iterator over the states that were not read yet.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(changes: self, iterator: stream.makeAsyncIterator())
        }

        /// An iterator over states.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// Retains the observer.
            let changes: Changes
            var iterator: AsyncStream<ReachabilityState>.Iterator

            /// Returns the next state; `nil` if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> ReachabilityState? {
                await iterator.next(isolation: actor)
            }
        }
    }
}
