import Seeder
import Synchronization

/// A progress bar on the terminal of standard error.
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

    /// Creates a bar if standard error is a terminal that can erase lines; otherwise `nil`.
    init?() {
        guard isatty(STDERR_FILENO) == 1, let terminal = environment("TERM"), terminal != "dumb" else { return nil }
        // The time continues while the build waits for its input or for the disk.
        Task.detached { [weak self] in
            repeat { try? await Task.sleep(for: .milliseconds(100)) } while self?.draw() != nil
        }
    }

    /// Updates the progress.
    ///
    /// A new phase is shown immediately, other changes ten times a second.
    func show(_ progress: SeedProgress) {
        state.withLock { state in
            let isNew = state.progress.map { $0.phase != progress.phase || $0.bytesRead > progress.bytesRead } ?? true
            state.progress = progress
            guard isNew else { return }
            state.phaseStart = .now
            draw(&state)
        }
    }

    /// Prints a message above the bar.
    func write(_ message: String) {
        state.withLock { state in
            erase(&state)
            printError(message)
        }
    }

    /// Removes the bar permanently.
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
            // The terminal now belongs to the shell.
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
    /// Prints a message to standard error, above the bar if there is one.
    func print(_ message: String) {
        if let self { self.write(message) } else { printError(message) }
    }

    /// Runs a closure, and removes the bar afterwards.
    func whileShown<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { self?.end() }
        return try body()
    }
}

/// Whether this process is in the foreground of the terminal.
private var isInForeground: Bool {
    let group = tcgetpgrp(STDERR_FILENO)
    return group == -1 || group == getpgrp()
}
