/// Reads a named pipe; fails if no process opens it for writing.
struct PipeReader {
    private let descriptor: Descriptor
    private let name: String
    private let timeout: Duration
    private let start = ContinuousClock.now
    private var hadWriter = false

    /// - Parameter timeout: The time to wait for a writer. Defaults to 5 seconds.
    init(_ path: String, name: String, timeout: Duration = .seconds(5)) throws(SeedError) {
        // Opening it normally would block until there is a writer.
        descriptor = try Descriptor(reading: path, name: name, flags: O_NONBLOCK)
        self.name = name
        self.timeout = timeout
    }

    /// Reads the available bytes; returns 0 after the last writer has closed it.
    mutating func readNext(into buffer: inout MutableRawSpan) throws(SeedError) -> Int {
        while true {
            try checkInterruption()
            let count = FileSystem.read(descriptor.number, into: &buffer)
            let code = errno
            if count > 0 || count == 0 && hadWriter { return count }
            if count == 0, start.duration(to: .now) > timeout {
                throw SeedError(
                    .inputMissing, "cannot read \(name): no program has opened this pipe for writing",
                    advice: "Start the writing program first, or at the same time.")
            }
            // A writer without data is waited for without a limit.
            if count < 0 {
                guard code == EAGAIN || code == EINTR else {
                    throw .system(.inputOutput, "cannot read", name, code: code)
                }
                if code == EAGAIN { hadWriter = true }
            }
            // Hung up: there was a writer.
            if FileSystem.waitForInput(descriptor.number, milliseconds: 50) & Int32(POLLHUP) != 0 { hadWriter = true }
        }
    }
}
