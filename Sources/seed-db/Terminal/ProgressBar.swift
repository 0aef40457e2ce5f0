import Seeder
import Synchronization

/// A line on a terminal's standard error that tells how far a build is, drawn over and over.
final class ProgressBar: Sendable {
    private struct State {
        var phase: SeedProgress.Phase?
        var bytesRead = 0
        var phaseStart = ContinuousClock.now
        var lastDrawn: ContinuousClock.Instant?
        var isVisible = false
    }

    private static let pause = Duration.milliseconds(100)
    private let start = ContinuousClock.now
    private let state = Mutex(State())
    private let isColored = environment("NO_COLOR") == nil

    /// A bar where there is a terminal that can erase a line; nil elsewhere.
    init?() {
        guard isatty(STDERR_FILENO) == 1, let terminal = environment("TERM"), terminal != "dumb" else { return nil }
    }

    /// Shows how far the build is; ten times a second are enough, and at each new phase.
    func show(_ progress: SeedProgress) {
        let now = ContinuousClock.now
        state.withLock { state in
            let isNew = state.phase != progress.phase || progress.bytesRead < state.bytesRead
            if isNew { state.phaseStart = now }
            (state.phase, state.bytesRead) = (progress.phase, progress.bytesRead)
            guard isNew || state.lastDrawn.map({ now - $0 >= Self.pause }) ?? true, isInForeground else { return }
            let line = ProgressLine(
                progress: progress, elapsed: (now - start).seconds, phaseElapsed: (now - state.phaseStart).seconds,
                width: barWidth(of: STDERR_FILENO), isColored: isColored)
            writeError("\r\(line.text)\u{1B}[K")
            (state.lastDrawn, state.isVisible) = (now, true)
        }
    }

    /// Takes the bar away before something else is written; it comes back with the next step.
    func erase() {
        state.withLock { state in
            if state.isVisible { writeError("\r\u{1B}[K") }
            (state.lastDrawn, state.isVisible) = (nil, false)
        }
    }
}

/// Does something with a bar that is gone afterwards, however that ends.
func erasing<Result>(_ bar: ProgressBar?, _ body: () throws -> Result) rethrows -> Result {
    defer { bar?.erase() }
    return try body()
}

/// Whether the terminal is ours to write to, and not that of the shell which put us in the background.
private var isInForeground: Bool {
    let group = tcgetpgrp(STDERR_FILENO)
    return group == -1 || group == getpgrp()
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
