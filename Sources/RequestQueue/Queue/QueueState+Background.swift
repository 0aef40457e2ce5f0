extension QueueState {
    /// Handles that the process left the foreground: no request starts, and the policies of loading requests are applied.
    package mutating func enterBackground(_ policy: (Request) -> BackgroundPolicy) {
        suspend(for: .background)
        for request in loading.values.map(\.request).sorted(by: { $0.id < $1.id }) {
            switch policy(request) {
            case .none, .continue: break
            case .cancel: cancel(request.id)
            case .requeue: moveBack(request.id)
            }
        }
        startRequests()
    }
}
