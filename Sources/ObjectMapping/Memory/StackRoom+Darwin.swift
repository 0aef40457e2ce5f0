#if canImport(Darwin)
    extension StackRoom {
        /// Returns the addresses of the thread's stack.
        static func ofThread() -> Range<UInt>? {
            let thread = unsafe pthread_self()
            let end = unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread))
            return unsafe end - UInt(pthread_get_stacksize_np(thread))..<end
        }
    }
#endif
