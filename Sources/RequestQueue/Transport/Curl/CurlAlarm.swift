#if CURL
    import CCurl

    /// What ends the sleep of a transport's thread.
    ///
    /// Unchecked: of all that libcurl does with the handle, this one call may come from any thread.
    struct CurlAlarm: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer

        func ring() { curl_multi_wakeup(multi) }
    }
#endif
