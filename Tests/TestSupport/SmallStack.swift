import Foundation
import Synchronization

/// Runs a closure on a thread with a stack of a size, by default the smallest one of common systems.
public func onSmallStack<Value: Sendable>(
    kilobytes: Int = 128, _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
    let result = ThreadResult<Value>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        result.value.withLock { $0 = Result { try body() } }
        done.signal()
    }
    // The address sanitizer multiplies the size of frames.
    thread.stackSize = kilobytes << (isSanitized && !isThreadSanitized ? 12 : 10)
    thread.start()
    done.wait()
    guard let value = result.value.withLock({ $0 }) else { throw CancellationError() }
    return try value.get()
}

private final class ThreadResult<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
}
