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
}
