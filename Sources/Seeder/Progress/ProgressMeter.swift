import ObjectStore
import Synchronization

/// Counts bytes and reports the progress; not created without a receiver.
final class ProgressMeter: Sendable {
    private let progress = Mutex(SeedProgress())
    private let report: @Sendable (SeedProgress) -> Void

    init?(_ report: (@Sendable (SeedProgress) -> Void)?) {
        guard let report else { return nil }
        self.report = report
    }

    /// Starts a phase with a number of bytes.
    func begin(_ phase: SeedProgress.Phase, file: String = "", totalBytes: Int? = nil) {
        change { $0 = SeedProgress(phase: phase, file: file, totalBytes: totalBytes) }
    }

    /// Starts a phase with all bytes of the dumps.
    func begin(_ phase: SeedProgress.Phase, of sources: [SeedSource], _ inputs: [InputFile]) {
        begin(phase, file: sources.first?.name ?? "", totalBytes: inputs.reduce(0) { $0 + $1.size })
    }

    /// Starts a stage of the store.
    func begin(_ stage: FinishingStage) {
        switch stage {
        case .indexing: begin(.indexing, file: "")
        case .wiring: begin(.connecting, file: "")
        }
    }

    /// Sets the dump of the following bytes.
    func begin(file: String) { change { $0.file = file } }

    /// Counts bytes that were read from a descriptor.
    func count(_ bytes: Int) { change { $0.bytesRead += bytes } }

    private func change(_ body: (inout SeedProgress) -> Void) {
        let now = progress.withLock { progress in
            body(&progress)
            return progress
        }
        report(now)
    }
}
