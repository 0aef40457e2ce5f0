import Dispatch
import Synchronization

/// A body for who reads it on a thread that may wait.
///
/// Unchecked: one thread reads it; `stop` touches only what any thread may.
final class BlockingBody: @unchecked Sendable {
    private var reader: BodyReader
    private let fail: @Sendable (TransportFailure) -> Void
    private let isStopped = Atomic(false)
    private let wakeUp = DispatchSemaphore(value: 0)

    /// - Parameter fail: is told why the body cannot be read.
    init(_ body: TransportRequest.Body, fail: @escaping @Sendable (TransportFailure) -> Void)
        throws(TransportFailure)
    {
        reader = BodyReader(body)
        self.fail = fail
        try reader.open()
    }

    /// Reads the next bytes, and waits for them.
    ///
    /// - Returns: 0 at the end; nil if it was stopped, or cannot be read.
    func read(into buffer: inout MutableRawSpan) -> Int? {
        do {
            while !isStopped.load(ordering: .acquiring) {
                switch try reader.read(into: &buffer) {
                case .bytes(let count): return count
                case .end: return 0
                case .wait:
                    // The stream keeps the function, and must not keep itself by it.
                    reader.whenReadable { [wakeUp] in wakeUp.signal() }
                    wakeUp.wait()
                }
            }
        } catch {
            fail(error)
        }
        return nil
    }

    /// Lets the reading thread go.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        wakeUp.signal()
    }
}
