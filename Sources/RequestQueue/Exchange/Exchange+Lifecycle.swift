extension Exchange {
    /// Applies the policy for the background until the outcome is delivered.
    func followLifecycle() {
        let lifecycle = request.lifecycle
        let listens = state.withLock { state in
            guard state.machine.stage == .created, !state.registrations.followsLifecycle else { return false }
            state.registrations.followsLifecycle = true
            if backgroundPolicy == .continue { lifecycle.beginContinuing() }
            // A queue passes the events on, after it has stopped to start requests.
            return !state.machine.rules.isQueued
        }
        guard listens else { return }
        // A request with the policy `cancel` can be started in the background.
        let number = lifecycle.add(catchingUp: backgroundPolicy == .requeue) { [self] in receive($0) }
        let hasEnded = state.withLock { state in
            state.registrations.listener = number
            return state.machine.stage == .delivered
        }
        if hasEnded { lifecycle.remove(number) }
    }

    /// Applies the policy to an event.
    func receive(_ event: ApplicationLifecycle.Event) {
        switch event {
        case .didEnterBackground: apply(.enteredBackground)
        case .backgroundTimeExpired: apply(.backgroundTimeExpired)
        case .willEnterForeground: apply(.enteredForeground)
        }
    }

    /// Ends the background time of the request.
    func endContinuing() {
        if backgroundPolicy == .continue, state.withLock({ $0.registrations.followsLifecycle }) {
            request.lifecycle.endContinuing()
        }
    }
}

extension BackgroundPolicy {
    /// The policy for a delivery; a stream cannot be sent again, because its reader has received a part of it.
    func applied(to delivery: Exchange.Delivery?) -> BackgroundPolicy {
        if case .stream = delivery, self == .requeue { .cancel } else { self }
    }
}
