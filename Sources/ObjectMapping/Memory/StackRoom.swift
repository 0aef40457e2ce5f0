import Synchronization

/// How much of the thread's stack is left for nested values.
///
/// The limits of the stack are read once, because that takes up to 22 µs on the main thread, and again when the code
/// continues on another thread.
struct StackRoom {
    /// The lowest address that nested values may use, and the number of bytes above it.
    private var lowest: UInt = 0
    private var size: UInt = 0

    #if DEBUG
        /// A level takes ten times as much without the optimizer.
        static var uncheckedLevels: Int { 0 }
    #else
        /// Up to this many levels of nesting need no check.
        @inline(__always) static var uncheckedLevels: Int { 7 }
    #endif
    /// Bytes that are kept for what the innermost value calls, such as closures of the user.
    private static var reserve: UInt { 32 << 10 }

    /// Whether there is room for one more level.
    mutating func hasRoom() -> Bool { levels > 0 }

    /// How many more levels fit, if each takes no more than 16 KB.
    // Not inlined: the address is that of the innermost frame.
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

    /// The stack of the main thread, which takes long to read and remains until the process ends.
    private static let main = Mutex<Range<UInt>?>(nil)

    /// The addresses of the stack that holds an address; nil if they are unknown.
    private static func stack(at address: UInt) -> Range<UInt>? {
        if let main = main.withLock({ $0 }), main.contains(address) { return main }
        guard let stack = ofThread() else { return nil }
        // The arguments of the process are on the main thread's stack.
        if stack.contains(unsafe UInt(bitPattern: CommandLine.unsafeArgv)) { main.withLock { $0 = stack } }
        return stack
    }

    /// What an issue says of a value for which there is no room.
    static let expected = "fewer levels of nesting, or a thread with a larger stack"
    static let found = "a value nested too deeply for this thread's stack"
}
