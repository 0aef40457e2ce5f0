#if CURL
    import CCurl

    /// Reads bytes of a file that the system has in memory; returns -1 instead of waiting for others.
    func readCachedBytes(_ descriptor: Int32, into buffer: inout MutableRawSpan, at offset: Int64) -> Int {
        unsafe buffer.withUnsafeMutableBytes {
            unsafe mk_read_cached(descriptor, $0.baseAddress, $0.count, off_t(offset))
        }
    }
#endif
