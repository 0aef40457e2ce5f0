#if os(Linux)
    import CCurl

    /// Starts a thread for work that blocks: its stack is small, and it takes no signals, which are for the threads of the
    /// application; so a write to a connection that is gone cannot end the process either.
    ///
    /// - Parameter name: What tools show, 15 bytes at the most.
    /// - Returns: The system's error number; 0 if the thread runs.
    func startDetachedThread(named name: String, _ work: @escaping @Sendable () -> Void) -> Int32 {
        let start = unsafe Unmanaged.passRetained(
            ThreadStart {
                unsafe mk_name_thread(name)
                work()
            })
        let code = unsafe mk_start_thread(
            512 << 10,
            { argument in
                guard let start = unsafe argument.map({ unsafe Unmanaged<ThreadStart>.fromOpaque($0) }) else {
                    return nil
                }
                unsafe start.takeRetainedValue().run()
                return nil
            }, start.toOpaque())
        if code != 0 { unsafe start.release() }
        return code
    }

    private final class ThreadStart: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
#endif
