import Seeder
import Synchronization

/// A line on a terminal's standard error that tells how far a build is, drawn over and over.
final class ProgressBar: Sendable {
    private struct State {
        var progress: SeedProgress?
        var phaseStart = ContinuousClock.now
        var isVisible = false
        var hasEnded = false
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())
    private let isColored = environment("NO_COLOR") == nil

    /// A bar where there is a terminal that can erase a line; nil elsewhere.
    init?() {
        guard isatty(STDERR_FILENO) == 1, let terminal = environment("TERM"), terminal != "dumb" else { return nil }
        // Time goes on while the build waits for its input or for the disk.
        Task.detached { [weak self] in
            repeat { try? await Task.sleep(for: .milliseconds(100)) } while self?.draw() != nil
        }
    }

    /// Takes note of how far the build is; a new phase is shown at once, all else ten times a second.
    func show(_ progress: SeedProgress) {
        state.withLock { state in
            let isNew = state.progress.map { $0.phase != progress.phase || $0.bytesRead > progress.bytesRead } ?? true
            state.progress = progress
            guard isNew else { return }
            state.phaseStart = .now
            draw(&state)
        }
    }

    /// Writes a message in the place of the bar, which comes back below it.
    func write(_ message: String) {
        state.withLock { state in
            erase(&state)
            printError(message)
        }
    }

    /// Takes the bar away for good.
    func end() {
        state.withLock { state in
            erase(&state)
            state.hasEnded = true
        }
    }

    private func draw() { state.withLock { draw(&$0) } }

    private func draw(_ state: inout State) {
        guard let progress = state.progress, !state.hasEnded else { return }
        guard isInForeground else {
            // What stands on the terminal by now is the shell's.
            state.isVisible = false
            return
        }
        let now = ContinuousClock.now
        let line = ProgressLine(
            progress: progress, elapsed: (now - start) / .seconds(1),
            phaseElapsed: (now - state.phaseStart) / .seconds(1), width: barWidth(of: STDERR_FILENO),
            isColored: isColored)
        writeError("\r\(line.text)\u{1B}[K")
        state.isVisible = true
    }

    private func erase(_ state: inout State) {
        if state.isVisible { writeError("\r\u{1B}[K") }
        state.isVisible = false
    }
}

extension ProgressBar? {
    /// Prints a message on standard error, in the place of the bar if there is one.
    func print(_ message: String) {
        if let self { self.write(message) } else { printError(message) }
    }

    /// Does something, and takes the bar away however that ends.
    func whileShown<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { self?.end() }
        return try body()
    }
}

/// Whether the terminal is ours to write to, and not that of the shell which put us in the background.
private var isInForeground: Bool {
    let group = tcgetpgrp(STDERR_FILENO)
    return group == -1 || group == getpgrp()
}
