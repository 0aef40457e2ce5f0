import Synchronization

/// The free stack of the thread for nested values.
///
/// The limits of the stack are read once, because that takes up to 22 µs on the main thread, and again when the code
/// continues on another thread.
struct StackRoom {
    /// The lowest address for nested values, and the number of bytes above it.
    private var lowest: UInt = 0
    private var size: UInt = 0

    #if DEBUG
        /// A level takes ten times as much stack without the optimizer.
        static var uncheckedLevels: Int { 0 }
    #else
        /// The number of levels that need no check.
        @inline(__always) static var uncheckedLevels: Int { 7 }
    #endif
    /// The number of bytes reserved for calls at the innermost level, such as closures of the user.
    private static var reserve: UInt { 32 << 10 }

    /// Whether there is space for another level.
    mutating func hasRoom() -> Bool { levels > 0 }

    /// The number of levels that fit, if each takes up to 16 KB.
    ///
    /// Not inlined: the address is that of the innermost frame.
    var levels: Int {
        @inline(never) mutating get {
            var mark: UInt8 = 0
            let here = unsafe withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
            if here &- lowest >= size {
                guard let stack = StackRoom.stack(at: here), stack.contains(here) else {
                    // A stack that the system does not know, such as that of a fiber.
                    (lowest, size) = (0, .max)
                    return StackRoom.levels(in: 0)
                }
                lowest = min(stack.lowerBound + StackRoom.reserve, stack.upperBound)
                size = stack.upperBound - lowest
                if here &- lowest >= size { return 0 }
            }
            return StackRoom.levels(in: here &- lowest)
        }
    }

    private static func levels(in room: UInt) -> Int {
        #if DEBUG
            1
        #else
            1 + Int(room >> 14)
        #endif
    }

    /// The stack of the main thread, which is slow to read and exists until the process ends.
    private static let main = Mutex<Range<UInt>?>(nil)

    /// Returns the addresses of the stack with an address; `nil` if they are unknown.
    private static func stack(at address: UInt) -> Range<UInt>? {
        if let main = main.withLock({ $0 }), main.contains(address) { return main }
        guard let stack = ofThread() else { return nil }
        // The arguments of the process are on the main thread's stack.
        if stack.contains(unsafe UInt(bitPattern: CommandLine.unsafeArgv)) { main.withLock { $0 = stack } }
        return stack
    }

    /// The texts of an issue for a value that exceeds the stack.
    static let expected = "fewer levels of nesting, or a thread with a larger stack"
    static let found = "a value nested too deeply for this thread's stack"
}
