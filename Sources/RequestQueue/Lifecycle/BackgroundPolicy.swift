extension Exchange {
    /// Applies the policy for the background until the outcome is delivered.
    func followLifecycle() {
        let lifecycle = request.lifecycle
        let isFirst = state.withLock { state in
            guard state.machine.stage == .created, !state.followsLifecycle else { return false }
            state.followsLifecycle = true
            if backgroundPolicy == .continue { lifecycle.beginContinuing() }
            return true
        }
        guard isFirst else { return }
        // A request with the policy `cancel` can be started in the background.
        let number = lifecycle.add(catchingUp: backgroundPolicy == .requeue) { [self] event in
            switch event {
            case .didEnterBackground: apply(.enteredBackground)
            case .backgroundTimeExpired: apply(.backgroundTimeExpired)
            case .willEnterForeground: apply(.enteredForeground)
            }
        }
        let hasEnded = state.withLock { state in
            state.listener = number
            return state.machine.stage == .delivered
        }
        if hasEnded { lifecycle.remove(number) }
    }

    /// Ends the background time of the request.
    func endContinuing() {
        if backgroundPolicy == .continue, state.withLock({ $0.followsLifecycle }) { request.lifecycle.endContinuing() }
    }
}

extension BackgroundPolicy {
    /// The policy for a delivery; a stream cannot be sent again, because its reader has received a part of it.
    func applied(to delivery: Exchange.Delivery?) -> BackgroundPolicy {
        if case .stream = delivery, self == .requeue { .cancel } else { self }
    }
}

/// The handling of a loading request when the process leaves the foreground.
///
/// ```swift
/// client.backgroundPolicy = .requeue
/// ```
///
/// With any policy, a queue starts no requests while the process is in the background.
public enum BackgroundPolicy: String, Sendable, Hashable, CaseIterable {
    /// The request continues as far as the system allows, and after a suspension of the process.
    case none
    /// The request is cancelled.
    case cancel
    /// The request continues in the background time that the system grants.
    ///
    /// When the time expires, it fails with an error of kind ``RequestError/Kind/backgroundTimedOut``.
    case `continue`
    /// The request is stopped without an event, requeued, and sent again in the foreground.
    ///
    /// The server may have processed the first attempt. A body that can be read only once cannot be sent again. A streamed
    /// request is cancelled.
    case requeue
}
