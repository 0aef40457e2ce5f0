import Synchronization

/// Reports whether the process is in the foreground to queues and requests.
///
/// Queues and requests use ``shared`` by default. On iOS, tvOS and visionOS, UIKit drives it. In command line tools, a
/// ``SignalLifecycle`` can drive it. Any program can drive it by calls:
///
/// ```swift
/// let lifecycle = ApplicationLifecycle()
/// let queue = RequestQueue(lifecycle: lifecycle)
/// lifecycle.enterBackground()
/// lifecycle.enterForeground()
/// ```
///
/// When one of its functions returns, all listeners have been called, unless another thread reports concurrently: that
/// thread then calls them. Events that change nothing are ignored.
public final class ApplicationLifecycle: Sendable {
    enum Event: Sendable {
        case didEnterBackground
        case backgroundTimeExpired
        case willEnterForeground
    }

    typealias Listener = @Sendable (Event) -> Void

    private struct State {
        var isInBackground = false
        var listeners: [Int: Listener] = [:]
        var lastNumber = 0
        /// The events that are not delivered yet, in order; those with a number are for one listener only.
        var pendingEvents: [(event: Event, number: Int?)] = []
        var isNotifying = false
        /// The number of loading requests that would continue in the background.
        var continuing = 0
        var idleHandler: (@Sendable () -> Void)?

        /// Adds an event; returns whether the caller has to notify the listeners.
        mutating func add(_ event: Event, for number: Int? = nil) -> Bool {
            pendingEvents.append((event, number))
            defer { isNotifying = true }
            return !isNotifying
        }

        /// Removes and returns the next event with its listeners; `nil` if all events were delivered.
        mutating func takePendingEvent() -> (event: Event, listeners: [Listener])? {
            guard !pendingEvents.isEmpty else {
                isNotifying = false
                return nil
            }
            let (event, number) = pendingEvents.removeFirst()
            if let number { return (event, listeners[number].map { [$0] } ?? []) }
            return (event, listeners.sorted { $0.key < $1.key }.map(\.value))
        }

        mutating func takeIdleHandler() -> (@Sendable () -> Void)? {
            guard continuing == 0 else { return nil }
            defer { idleHandler = nil }
            return idleHandler
        }
    }

    /// The life cycle of the process.
    public static let shared = {
        let lifecycle = ApplicationLifecycle()
        lifecycle.followSystem()
        return lifecycle
    }()

    private let state = Mutex(State())

    /// Creates a life cycle in the foreground, to be driven by calls.
    public init() {}

    /// Whether the process has left the foreground.
    public var isInBackground: Bool { state.withLock { $0.isInBackground } }

    /// Reports that the process left the foreground: queues start no requests, and loading requests follow their
    /// ``BackgroundPolicy``.
    public func enterBackground() {
        notify { state in
            guard !state.isInBackground else { return false }
            state.isInBackground = true
            return state.add(.didEnterBackground)
        }
    }

    /// Reports that the background time expired: requests that continued in the background fail.
    public func expireBackgroundTime() {
        notify { $0.isInBackground ? $0.add(.backgroundTimeExpired) : false }
    }

    /// Reports that the process enters the foreground: the network state is determined again, and queues resume.
    public func enterForeground() {
        notify { state in
            guard state.isInBackground else { return false }
            state.isInBackground = false
            return state.add(.willEnterForeground)
        }
    }

    // MARK: Listening

    /// Adds a listener, which must not block.
    ///
    /// - Parameters:
    ///   - catchesUp: Whether the listener is called immediately if the process is in the background.
    ///   - listener: The listener.
    /// - Returns: The number for ``remove(_:)``.
    func add(catchingUp catchesUp: Bool, _ listener: @escaping Listener) -> Int {
        var number = 0
        notify { state in
            state.lastNumber += 1
            number = state.lastNumber
            state.listeners[number] = listener
            return catchesUp && state.isInBackground ? state.add(.didEnterBackground, for: number) : false
        }
        return number
    }

    func remove(_ number: Int) {
        // The listener and what it captures are released outside the lock.
        _ = state.withLock { $0.listeners.removeValue(forKey: number) }
    }

    /// Changes the state and notifies the listeners; one thread at a time, so that all receive the same order.
    private func notify(_ change: (inout State) -> Bool) {
        guard state.withLock({ change(&$0) }) else { return }
        while let (event, listeners) = state.withLock({ $0.takePendingEvent() }) { listeners.forEach { $0(event) } }
    }

    // MARK: Requests that continue in the background

    /// Counts a request that would continue in the background.
    func beginContinuing() { state.withLock { $0.continuing += 1 } }

    /// Ends the count of a request that would continue in the background.
    func endContinuing() {
        let handler = state.withLock { state in
            state.continuing -= 1
            return state.takeIdleHandler()
        }
        handler?()
    }

    /// Calls a closure once, when no request continues in the background; replaces an earlier closure.
    ///
    /// - Returns: Whether requests still continue.
    @discardableResult
    func whenIdle(_ handler: @escaping @Sendable () -> Void) -> Bool {
        let (handler, isBusy) = state.withLock { state in
            state.idleHandler = handler
            return (state.takeIdleHandler(), state.continuing > 0)
        }
        handler?()
        return isBusy
    }
}
