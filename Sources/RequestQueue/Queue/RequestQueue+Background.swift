import Synchronization

extension RequestQueue {
    /// Handles an event of the life cycle.
    func receive(_ event: ApplicationLifecycle.Event) {
        switch event {
        case .didEnterBackground: change { $0.state.enterBackground(\.request.backgroundPolicy) }
        case .backgroundTimeExpired:
            for exchange in driver.withLock({ $0.exchanges(with: .continue) }) { exchange.fail(.backgroundTimedOut) }
        case .willEnterForeground:
            // The network may have changed unnoticed: the queue stays suspended until its state is determined again.
            driver.withLock { $0.reachability?.observer }?.redetermine()
            change { $0.state.resume(for: .background) }
        }
    }
}
