public import Dispatch

/// Where completions, progress closures and delegates are called.
///
/// ```swift
/// client.callbackExecutor = .queue(.main)
/// ```
///
/// The calls for one request are serial and in order. The calls for different requests can be concurrent if the executor
/// allows it. A call may block: it delays no request and occupies no thread of Swift's cooperative pool.
public struct CallbackExecutor: Sendable {
    package let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates an executor from a closure.
    ///
    /// The closure must run each block once, on any thread, after it has returned.
    public init(_ run: @escaping @Sendable (_ block: @escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// Runs the callbacks of each request on a separate thread outside Swift's cooperative pool; the default.
    public static let separateThreads = CallbackExecutor { block in
        // A new serial queue gets a thread even if many other queues are blocked.
        DispatchQueue(label: "RequestQueue.callbacks").async(execute: block)
    }

    /// A dispatch queue, such as `.main`.
    public static func queue(_ queue: DispatchQueue) -> CallbackExecutor {
        CallbackExecutor { block in queue.async(execute: block) }
    }

    /// A task executor; a call that blocks occupies one of its threads.
    public static func executor(_ executor: any TaskExecutor) -> CallbackExecutor {
        CallbackExecutor { block in Task(executorPreference: executor) { block() } }
    }
}
