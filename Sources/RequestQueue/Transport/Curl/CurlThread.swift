#if CURL
    import CCurl

    /// Starts the thread of a transport: its stack is small, and it takes no signals, which are for the threads of the
    /// application; so a write to a connection that is gone cannot end the process either.
    ///
    /// - Returns: The system's error number; 0 if the thread runs.
    func startCurlThread(_ inbox: CurlInbox) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 512 << 10)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let argument = Unmanaged.passRetained(inbox)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_SETMASK, &signals, nil)
                mk_curl_name_thread("curl-transport")
                CurlLoop.run(Unmanaged<CurlInbox>.fromOpaque(argument).takeRetainedValue())
                return nil
            }, argument.toOpaque())
        if code != 0 { argument.release() }
        return code
    }
#endif
