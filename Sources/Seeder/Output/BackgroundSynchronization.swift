import Dispatch
import Synchronization

/// Waits on another thread until the bytes of a file are on the disk.
final class BackgroundSynchronization: Sendable {
    private let code = Mutex<Int32>(0)
    private let isDone = DispatchSemaphore(value: 0)

    /// Starts; the descriptor must stay open until `wait(name:)` returns.
    init(of descriptor: Descriptor) {
        let number = descriptor.number
        DispatchQueue.global().async { [self] in
            let result = FileSystem.synchronize(number)
            code.withLock { $0 = result }
            isDone.signal()
        }
    }

    /// Waits until it is complete.
    func wait(name: String) throws(SeedError) {
        isDone.wait()
        let code = code.withLock { $0 }
        guard code == 0 else { throw .system(.inputOutput, "cannot write", name, code: code) }
    }
}
