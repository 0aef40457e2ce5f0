extension QueueState {
    /// The process has left the foreground: nothing is started, and what is loading does what its policy says.
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
