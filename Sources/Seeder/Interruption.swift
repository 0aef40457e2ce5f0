package import Synchronization

/// The signal that stops running builds of this process; 0 without a signal.
///
/// A signal handler can write it: it is a lock-free atomic.
package let interruptingSignal = Atomic<Int32>(0)

/// Returns the error of a signal, and removes the unfinished files of running builds, for a process that ends
/// immediately; `nil` without a signal.
package func abandonBuilds() -> SeedError? {
    do { try checkInterruption() } catch {
        OutputFile.removeUnfinished()
        return error
    }
    return nil
}

/// Whether running builds should stop.
@Sendable func isInterrupted() -> Bool {
    interruptingSignal.load(ordering: .relaxed) != 0 || Task.isCancelled
}

/// Throws if the build should stop, because of a signal or a cancelled task.
func checkInterruption() throws(SeedError) {
    switch interruptingSignal.load(ordering: .relaxed) {
    case 0: if Task.isCancelled { throw SeedError(.interrupted, "cancelled") }
    case SIGTERM: throw SeedError(.terminated, "stopped by SIGTERM")
    default: throw SeedError(.interrupted, "interrupted")
    }
}
