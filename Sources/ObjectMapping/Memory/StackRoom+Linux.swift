#if !canImport(Darwin)
    extension StackRoom {
        /// Returns the addresses of the thread's stack; `nil` if they are unknown.
        static func ofThread() -> Range<UInt>? {
            var attributes = pthread_attr_t()
            var address: UnsafeMutableRawPointer?
            var size = 0
            guard
                unsafe getAttributes(of: pthread_self(), &attributes) == 0
                    && pthread_attr_getstack(&attributes, &address, &size) + pthread_attr_destroy(&attributes) == 0
            else { return nil }
            let start = UInt(bitPattern: address)
            return start..<start + UInt(size)
        }
    }

    // The headers declare it only with _GNU_SOURCE, which Swift does not define.
    @_silgen_name("pthread_getattr_np")
    private func getAttributes(of thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt
#endif
