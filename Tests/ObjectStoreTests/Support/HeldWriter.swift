import Dispatch
import Foundation
import Testing

@testable import ObjectStore

/// Occupies the connection that writes.
final class HeldWriter: Sendable {
    private let end = DispatchSemaphore(value: 0)

    init(_ store: ManagedObjectStore) {
        let start = DispatchSemaphore(value: 0)
        let end = end
        Thread.detachNewThread {
            #expect(throws: Never.self) {
                try store.write { _ in
                    start.signal()
                    end.wait()
                }
            }
        }
        start.wait()
    }

    func release() { end.signal() }

    /// Releases the connection from another thread, a moment later.
    func releaseSoon() {
        Thread.detachNewThread { [self] in
            usleep(20_000)
            release()
        }
    }
}
