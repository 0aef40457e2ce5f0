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
        /// The number of loading requests that would continue in the background.
        var continuing = 0
        var idleHandler: (@Sendable () -> Void)?

        mutating func takeIdleHandler() -> (@Sendable () -> Void)? { continuing == 0 ? idleHandler.take() : nil }
    }

    /// The life cycle of the process.
    public static let shared = {
        let lifecycle = ApplicationLifecycle()
        lifecycle.followSystem()
        return lifecycle
    }()

    /// An event for all listeners, or for the one with a number.
    private struct Notification: Sendable {
        let lifecycle: ApplicationLifecycle
        let event: Event
        var number: Int?

        func send() {
            let listeners = lifecycle.state.withLock { $0.listeners }
            for listener in listeners.sorted(by: { $0.key < $1.key }) where listener.key == number ?? listener.key {
                listener.value(event)
            }
        }
    }

    private let state = Mutex(State())
    private let mailbox = Mailbox<Notification> { $0.send() }

    /// Creates a life cycle in the foreground, to be driven by calls.
    public init() {}

    /// Whether the process has left the foreground.
    public var isInBackground: Bool { state.withLock { $0.isInBackground } }

    /// Reports that the process left the foreground: queues start no requests, and loading requests follow their
    /// ``BackgroundPolicy``.
    public func enterBackground() {
        notify { state in
            guard !state.isInBackground else { return nil }
            state.isInBackground = true
            return Notification(lifecycle: self, event: .didEnterBackground)
        }
    }

    /// Reports that the background time expired: requests that continued in the background fail.
    public func expireBackgroundTime() {
        notify { $0.isInBackground ? Notification(lifecycle: self, event: .backgroundTimeExpired) : nil }
    }

    /// Reports that the process enters the foreground: the network state is determined again, and queues resume.
    public func enterForeground() {
        notify { state in
            guard state.isInBackground else { return nil }
            state.isInBackground = false
            return Notification(lifecycle: self, event: .willEnterForeground)
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
            guard catchesUp, state.isInBackground else { return nil }
            return Notification(lifecycle: self, event: .didEnterBackground, number: number)
        }
        return number
    }

    func remove(_ number: Int) {
        // The listener and what it captures are released outside the lock.
        _ = state.withLock { $0.listeners.removeValue(forKey: number) }
    }

    /// Changes the state and notifies the listeners; one thread at a time, so that all receive the same order.
    private func notify(_ change: (inout State) -> Notification?) {
        if state.withLock({ change(&$0).map { mailbox.append($0) } }) == true { mailbox.drain() }
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
