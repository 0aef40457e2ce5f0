package import Synchronization

/// The signal that asked running builds of this process to stop; 0 if none did.
///
/// A signal handler may write it: it is a lock-free atomic.
package let interruptingSignal = Atomic<Int32>(0)

/// Whether running builds were asked to stop.
@Sendable func isInterrupted() -> Bool {
    interruptingSignal.load(ordering: .relaxed) != 0 || Task.isCancelled
}

/// Throws if what runs was asked to stop, by a signal or because its task was cancelled.
func checkInterruption() throws(SeedError) {
    switch interruptingSignal.load(ordering: .relaxed) {
    case 0: if Task.isCancelled { throw SeedError(.interrupted, "cancelled") }
    case SIGTERM: throw SeedError(.terminated, "stopped by SIGTERM")
    default: throw SeedError(.interrupted, "interrupted")
    }
}
