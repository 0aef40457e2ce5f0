import Foundation
import Synchronization

/// The progress of an operation: on a terminal a bar that grows in its line, elsewhere a line for each quarter.
public final class ProgressBar: Sendable {
    private static let width = 40

    private let isLive = isatty(1) != 0
    /// What was shown last: cells of the bar, or quarters.
    private let shown = Mutex(-1)

    /// Creates a bar that shows nothing yet.
    public init() {}

    /// Shows a share of the whole, from 0 to 1.
    public func show(_ fraction: Double) {
        shown.withLock { shown in
            let steps = Int(fraction * Double(isLive ? Self.width : 4))
            guard steps > shown else { return }
            if isLive {
                let bar = String(repeating: "█", count: steps) + String(repeating: "░", count: Self.width - steps)
                print("\r    \(bar) \(Int(fraction * 100)) %", terminator: fraction < 1 ? "" : "\n")
                fflush(nil)
            } else {
                for quarter in (shown + 1)...steps where quarter > 0 { print("    \(quarter * 25) %") }
            }
            shown = steps
        }
    }
}
