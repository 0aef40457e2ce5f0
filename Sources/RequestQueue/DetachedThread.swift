#if os(Linux)
    import CCurl

    /// Starts a thread for work that blocks: its stack is small, and it takes no signals, which are for the threads of the
    /// application; so a write to a connection that is gone cannot end the process either.
    ///
    /// - Parameter name: What tools show, 15 bytes at the most.
    /// - Returns: The system's error number; 0 if the thread runs.
    func startDetachedThread(named name: String, _ work: @escaping @Sendable () -> Void) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 512 << 10)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let start = Unmanaged.passRetained(
            ThreadStart {
                mk_name_thread(name)
                work()
            })
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_SETMASK, &signals, nil)
                Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, start.toOpaque())
        if code != 0 { start.release() }
        return code
    }

    private final class ThreadStart: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
#endif
