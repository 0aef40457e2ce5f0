/// How much of the thread's stack is left for nested values.
///
/// The limits of the stack are read once a thread, as reading them takes up to 22 µs on the main thread, and looked up
/// again when the code continues on another thread.
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

    /// How many levels have room, if each takes no more than 16 KB; 0 if there is none for another one.
    // Not inlined: the address is that of the innermost frame.
    var levels: Int {
        @inline(never) mutating get {
            var mark: UInt8 = 0
            let here = unsafe withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
            if here &- lowest >= size {
                guard let stack = StackRoom.stack, stack.contains(here) else {
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

    /// The stack of each thread, as it takes long to read.
    private static let known: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key) { unsafe $0?.deallocate() }
        return key
    }()

    /// The addresses of the thread's stack; nil if they are unknown.
    private static var stack: Range<UInt>? {
        if let known = unsafe pthread_getspecific(known) { return unsafe known.load(as: Range<UInt>.self) }
        guard let stack = readStack() else { return nil }
        let memory = UnsafeMutablePointer<Range<UInt>>.allocate(capacity: 1)
        unsafe memory.initialize(to: stack)
        unsafe pthread_setspecific(known, memory)
        return stack
    }

    private static func readStack() -> Range<UInt>? {
        #if canImport(Darwin)
            let thread = pthread_self()
            let end = unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread))
            return end - UInt(pthread_get_stacksize_np(thread))..<end
        #else
            var attributes = pthread_attr_t()
            guard unsafe getAttributes(of: pthread_self(), &attributes) == 0 else { return nil }
            defer { unsafe pthread_attr_destroy(&attributes) }
            var address: UnsafeMutableRawPointer?
            var size = 0
            guard unsafe pthread_attr_getstack(&attributes, &address, &size) == 0 else { return nil }
            let start = UInt(bitPattern: address)
            return start..<start + UInt(size)
        #endif
    }

    /// What an issue says of a value for which there is no room.
    static let expected = "fewer levels of nesting, or a thread with a larger stack"
    static let found = "a value nested too deeply for this thread's stack"
}

#if !canImport(Darwin)
    // The headers declare it only with _GNU_SOURCE, which Swift does not define.
    @_silgen_name("pthread_getattr_np")
    private func getAttributes(of thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt
#endif
