#if CURL
    import CCurl

    /// What ends the sleep of a transport's thread.
    ///
    /// Unchecked: of all that libcurl does with the handle, this one call may come from any thread.
    /// Safe: the inbox drops it before the loop, whose multi handle it is, goes.
    @safe struct CurlAlarm: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer

        func ring() { unsafe curl_multi_wakeup(multi) }
    }
#endif
