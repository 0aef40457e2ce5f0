public import Dispatch

/// Where completions, progress closures and delegates are called.
///
/// ```swift
/// client.callbackExecutor = .queue(.main)
/// ```
///
/// The calls for one request come one after the other, in their order; those for different requests may come at the same
/// time, as far as the executor allows. Each call may block: no request and no task waits for its thread.
public struct CallbackExecutor: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates an executor from a closure.
    ///
    /// The closure must run each block once, on any thread, after it has returned.
    public init(_ run: @escaping @Sendable (_ block: @escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// Runs the callbacks of each request on a separate thread outside Swift's cooperative pool; the default.
    public static let separateThreads = CallbackExecutor { block in
        // A serial queue of its own has a thread while it works, however many others block.
        DispatchQueue(label: "RequestQueue.callbacks").async(execute: block)
    }

    /// A dispatch queue, such as `.main`.
    public static func queue(_ queue: DispatchQueue) -> CallbackExecutor {
        CallbackExecutor { block in queue.async(execute: block) }
    }

    /// A task executor; calls that block, block its threads.
    public static func executor(_ executor: any TaskExecutor) -> CallbackExecutor {
        CallbackExecutor { block in Task(executorPreference: executor) { block() } }
    }
}
