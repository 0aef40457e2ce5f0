import ObjectStore
import Synchronization

/// Counts what is read and tells it to whoever asked; there is none if nobody did.
final class ProgressMeter: Sendable {
    private let progress = Mutex(SeedProgress())
    private let tell: @Sendable (SeedProgress) -> Void

    init?(_ tell: (@Sendable (SeedProgress) -> Void)?) {
        guard let tell else { return nil }
        self.tell = tell
    }

    /// A new phase begins, of so many bytes.
    func begin(_ phase: SeedProgress.Phase, file: String = "", totalBytes: Int? = nil) {
        change { $0 = SeedProgress(phase: phase, file: file, totalBytes: totalBytes) }
    }

    /// A new phase begins, of all bytes of the dumps.
    func begin(_ phase: SeedProgress.Phase, of sources: [SeedSource], _ inputs: [InputFile]) {
        begin(phase, file: sources.first?.name ?? "", totalBytes: inputs.reduce(0) { $0 + $1.size })
    }

    /// The store begins a stage of its own.
    func begin(_ stage: FinishingStage) {
        switch stage {
        case .indexing: begin(.indexing, file: "")
        case .wiring: begin(.connecting, file: "")
        }
    }

    /// The bytes to come are those of a dump.
    func begin(file: String) { change { $0.file = file } }

    /// So many bytes were read from a descriptor.
    func count(_ bytes: Int) { change { $0.bytesRead += bytes } }

    private func change(_ body: (inout SeedProgress) -> Void) {
        let now = progress.withLock { progress in
            body(&progress)
            return progress
        }
        tell(now)
    }
}
