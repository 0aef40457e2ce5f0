#if CURL
    import CCurl

    /// Wakes a transport's thread.
    ///
    /// Unchecked: of all calls with the handle, this one is allowed on any thread. Safe: the inbox releases it before
    /// the loop, which owns the multi handle.
    @safe struct CurlAlarm: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer

        func ring() { unsafe curl_multi_wakeup(multi) }
    }
#endif
