import Seeder

/// Opens closed standard descriptors as a placeholder, so that output is not written into a file of the build that has
/// the same number.
func occupyStandardDescriptors() {
    for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(number, F_GETFD) == -1 {
        _ = FileSystem.open("/dev/null", mode)
    }
}

/// Writes to standard output; a closed reader is ignored, other failures are errors.
func print(_ text: String) throws {
    guard !write(text + "\n", to: STDOUT_FILENO), errno != EPIPE else { return }
    throw SeedError(.inputOutput, "cannot write to standard output: \(systemMessage(errno))")
}

/// Writes to standard error, ignoring failures.
func printError(_ text: String) { writeError(text + "\n") }

/// Writes to standard error without a line break.
func writeError(_ text: String) { _ = write(text, to: STDERR_FILENO) }

private func write(_ text: String, to descriptor: Int32) -> Bool {
    Array(text.utf8).withRawSpan { FileSystem.writeAll(descriptor, $0) }
}
