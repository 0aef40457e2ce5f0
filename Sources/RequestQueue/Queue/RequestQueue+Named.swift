import Synchronization

extension RequestQueue {
    private static let queues = Mutex<[String: WeakReference<RequestQueue>]>([:])

    /// The queue of a name: the one that has it, or a new one, suspended until it is started.
    ///
    /// A queue has its name as long as it lives; who wants to find it again keeps it.
    public static func named(_ name: String) -> RequestQueue {
        while true {
            if let queue = queues.withLock({ $0[name]?.object }) ?? RequestQueue(name: name) { return queue }
        }
    }

    /// Makes a queue of a name, suspended until it is started; nil if a queue has the name.
    ///
    /// - Parameters:
    ///   - name: The name, which is free again when the queue is no more.
    ///   - concurrentRequestsLimit: How many requests may be loading at once; below 1 it is 1.
    ///   - lifecycle: What tells whether the process is in the foreground; the process's own unless told.
    public convenience init?(name: String, concurrentRequestsLimit: Int = 5, lifecycle: ApplicationLifecycle = .shared)
    {
        self.init(
            concurrentRequestsLimit: concurrentRequestsLimit, suspensionReasons: [.user], name: name,
            lifecycle: lifecycle)
        // The living are held until the lock is not: the end of a queue may run code of others.
        let others = Self.queues.withLock { queues in
            let living = queues.compactMapValues(\.object)
            queues = living.merging([name: self]) { former, _ in former }.mapValues(WeakReference.init)
            return living
        }
        if others[name] != nil { return nil }
    }
}
