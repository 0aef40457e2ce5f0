extension RequestQueue {
    private static let queues = Mutex<[String: WeakReference<RequestQueue>]>([:])

    /// Returns the queue with a name, or creates one, suspended until it is started.
    ///
    /// A queue has its name while it is referenced: keep a reference to find it again.
    public static func named(_ name: String) -> RequestQueue {
        while true {
            if let queue = queues.withLock({ $0[name]?.object }) ?? RequestQueue(name: name) { return queue }
        }
    }

    /// Creates a queue with a name, suspended until it is started; `nil` if the name is in use.
    ///
    /// - Parameters:
    ///   - name: The name, which is available again when the queue is released.
    ///   - concurrentRequestsLimit: The maximum number of loading requests, at least 1.
    ///   - lifecycle: The life cycle that the queue observes. Defaults to that of the process.
    public convenience init?(name: String, concurrentRequestsLimit: Int = 5, lifecycle: ApplicationLifecycle = .shared)
    {
        self.init(
            concurrentRequestsLimit: concurrentRequestsLimit, suspensionReasons: [.user], name: name,
            lifecycle: lifecycle)
        // Holds strong references until after the lock: the deinitializer of a queue may run user code.
        let others = Self.queues.withLock { queues in
            let living = queues.compactMapValues(\.object)
            queues = living.merging([name: self]) { former, _ in former }.mapValues(WeakReference.init)
            return living
        }
        if others[name] != nil { return nil }
    }
}
