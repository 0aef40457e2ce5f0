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
    mutating func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(SeedError) -> Int {
        while true {
            try checkInterruption()
            let count = read(descriptor.number, buffer.baseAddress, buffer.count)
            let code = errno
            if count > 0 || count == 0 && hadWriter { return count }
            if count == 0, start.duration(to: .now) > patience {
                throw SeedError(
                    .inputMissing, "cannot read \(name): nobody has opened this pipe to write to it",
                    advice: "Start what writes to it first, or at the same time.")
            }
            // A writer that has nothing to say yet is waited for as long as it takes.
            if count < 0 {
                guard code == EAGAIN || code == EINTR else {
                    throw .system(.inputOutput, "cannot read", name, code: code)
                }
                if code == EAGAIN { hadWriter = true }
            }
            var event = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            // Hung up: a writer was there, if only for an instant.
            if poll(&event, 1, 50) > 0, Int32(event.revents) & Int32(POLLHUP) != 0 { hadWriter = true }
        }
    }
}
