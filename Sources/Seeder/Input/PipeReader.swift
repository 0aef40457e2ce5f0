/// Reads a named pipe; one that nobody opens for writing is given up.
struct PipeReader {
    private let descriptor: Descriptor
    private let name: String
    private let patience: Duration
    private let start = ContinuousClock.now
    private var hadWriter = false

    /// - Parameter patience: How long a writer may keep away.
    init(_ path: String, name: String, patience: Duration = .seconds(5)) throws(SeedError) {
        // Opening it the usual way would wait for a writer, for ever if there is none.
        descriptor = try Descriptor(reading: path, name: name, flags: O_NONBLOCK)
        self.name = name
        self.patience = patience
    }

    /// Reads what there is; 0 when the last writer has closed it.
    mutating func readNext(into buffer: inout MutableRawSpan) throws(SeedError) -> Int {
        while true {
            try checkInterruption()
            let count = FileSystem.read(descriptor.number, into: &buffer)
            let code = errno
            if count > 0 || count == 0 && hadWriter { return count }
            if count == 0, start.duration(to: .now) > patience {
                throw SeedError(
                    .inputMissing, "cannot read \(name): no program has opened this pipe for writing",
                    advice: "Start the writing program first, or at the same time.")
            }
            // A writer that has nothing to say yet is waited for as long as it takes.
            if count < 0 {
                guard code == EAGAIN || code == EINTR else {
                    throw .system(.inputOutput, "cannot read", name, code: code)
                }
                if code == EAGAIN { hadWriter = true }
            }
            // Hung up: a writer was there, if only for an instant.
            if FileSystem.waitForInput(descriptor.number, milliseconds: 50) & Int32(POLLHUP) != 0 { hadWriter = true }
        }
    }
}
