#if canImport(Darwin)
    import MappingSystemCalls

    extension ProcessIdentity {
        /// The time at which a process was started; `nil` if it is unknown.
        static func start(of id: pid_t) -> String? {
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, id]
            var process = unsafe kinfo_proc()
            var size = unsafe MemoryLayout<kinfo_proc>.stride
            guard unsafe sysctl(&name, UInt32(name.count), &process, &size, nil, 0) == 0, size > 0 else { return nil }
            let time = unsafe process.kp_proc.p_un.__p_starttime
            return "\(time.tv_sec).\(time.tv_usec)"
        }
    }
#endif
