/// The state of a network activity indicator that queues share.
///
/// ```swift
/// NetworkActivity.shared.setHandler { isActive in print(isActive ? "loading" : "idle") }
/// RequestQueue.shared.showsNetworkActivity = true
/// ```
///
/// The indicator is active while any participating queue has loading requests.
public final class NetworkActivity: Sendable {
    /// The activity of all queues.
    public static let shared = NetworkActivity()

    private struct State {
        var count = 0
        var handler: (@Sendable (Bool) -> Void)?
    }

    private let state = Mutex(State())
    private let mailbox = Mailbox<(handler: @Sendable (Bool) -> Void, isActive: Bool)> { $0.handler($0.isActive) }

    package init() {}

    /// Whether a queue that shows its activity is loading.
    public var isActive: Bool { state.withLock { $0.count > 0 } }

    /// Sets the handler for the beginning and the end of activity; `nil` removes it.
    ///
    /// Calls are serial and on any thread. If a queue is already loading, the handler is called immediately.
    public func setHandler(_ handler: (@Sendable (_ isActive: Bool) -> Void)?) {
        // The previous handler is released outside the lock: its deinitializers may run user code.
        _ = state.withLock { state in
            let former = state.handler
            state.handler = handler
            if state.count > 0 { notify(state) }
            return former
        }
    }

    func begin() { change(by: 1) }

    /// The last request of a queue ended.
    func end() { change(by: -1) }

    private func change(by difference: Int) {
        state.withLock { state in
            let wasActive = state.count > 0
            state.count += difference
            if wasActive != (state.count > 0) { notify(state) }
        }
    }

    private func notify(_ state: State) {
        if let handler = state.handler { mailbox.post((handler, state.count > 0)) }
    }
}
