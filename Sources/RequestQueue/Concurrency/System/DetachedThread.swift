#if os(Linux)
    import CMappingCurl

    /// Starts a thread with a small stack for blocking work.
    ///
    /// The thread receives no signals, which are left to the application; therefore writing to a closed connection
    /// cannot terminate the process.
    /// - Parameter name: The name shown by tools, up to 15 bytes.
    /// - Returns: The error number of the system; 0 for success.
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
