import MappingSystemCalls

/// Identifies a process by its number and its start, because numbers are used again.
enum ProcessIdentity {
    /// The identity of this process.
    static let current = text(of: getpid())

    /// Whether the process with an identity still runs.
    static func isRunning(_ identity: String) -> Bool {
        guard let id = identity.split(separator: " ").first.flatMap({ pid_t($0) }), id > 0 else { return false }
        guard kill(id, 0) == 0 || errno == EPERM else { return false }
        let running = text(of: id)
        // Without a start, the number decides.
        return running == identity || !running.contains(" ") || !identity.contains(" ")
    }

    private static func text(of id: pid_t) -> String { start(of: id).map { "\(id) \($0)" } ?? "\(id)" }

    #if canImport(Darwin)
        private static func start(of id: pid_t) -> String? {
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, id]
            var process = kinfo_proc()
            var size = MemoryLayout<kinfo_proc>.stride
            guard unsafe sysctl(&name, UInt32(name.count), &process, &size, nil, 0) == 0, size > 0 else { return nil }
            let time = process.kp_proc.p_un.__p_starttime
            return "\(time.tv_sec).\(time.tv_usec)"
        }
    #else
        private static func start(of id: pid_t) -> String? {
            func text(_ path: String) -> String? {
                (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
            }
            // The name of the program can contain blanks and parentheses.
            guard let status = text("/proc/\(id)/stat"), let end = status.lastIndex(of: ")") else { return nil }
            let fields = status[end...].split(separator: " ")
            guard fields.count > 20 else { return nil }
            let boot = text("/proc/sys/kernel/random/boot_id") ?? ""
            return "\(fields[20]) \(boot.filter { !$0.isWhitespace })"
        }
    #endif
}
