#if !canImport(Darwin)
    import MappingSystemCalls

    extension ProcessIdentity {
        /// The time at which a process was started, with the start of the system; `nil` if it is unknown.
        static func start(of id: pid_t) -> String? {
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
    }
#endif
