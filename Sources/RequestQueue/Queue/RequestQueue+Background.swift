import Synchronization

extension RequestQueue {
    /// What its life cycle tells.
    func receive(_ event: ApplicationLifecycle.Event) {
        switch event {
        case .didEnterBackground: change { $0.state.enterBackground(\.request.backgroundPolicy) }
        case .backgroundTimeExpired:
            for exchange in driver.withLock({ $0.exchanges(with: .continue) }) { exchange.fail(.backgroundTimedOut) }
        case .willEnterForeground:
            // Networks come and go while nobody looks: it is held until they are known, and not released before.
            driver.withLock { $0.reachability?.observer }?.redetermine()
            change { $0.state.resume(for: .background) }
        }
    }
}
