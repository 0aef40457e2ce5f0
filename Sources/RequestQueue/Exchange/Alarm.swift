import Dispatch

/// Calls a function when an instant of the watchdog's clock has come; it is held by the watchdog until it is removed.
final class Alarm: Watched {
    private let ring: @Sendable () -> Void

    init(_ ring: @escaping @Sendable () -> Void) { self.ring = ring }

    func check(at now: Duration) -> Duration? {
        // Time-outs must not wait for what it does.
        DispatchQueue.global().async(execute: ring)
        return nil
    }
}
