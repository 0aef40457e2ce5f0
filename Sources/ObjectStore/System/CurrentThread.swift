import MappingSystemCalls

enum CurrentThread {
    /// A number that no other running thread of the process has.
    static var number: UInt { unsafe bits(pthread_self()) }

    // The type is an integer or a pointer; both have the size of an address.
    @unsafe private static func bits<Thread>(_ thread: Thread) -> UInt { unsafe unsafeBitCast(thread, to: UInt.self) }
}
