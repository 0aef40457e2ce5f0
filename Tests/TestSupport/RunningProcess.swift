import Dispatch
public import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The status and the output of a process.
public struct ProcessResult: Sendable {
    /// The exit status; like in a shell, 128 plus the signal's number if a signal ended the process.
    public let status: Int32
    /// Standard output.
    public let stdout: Data
    /// Standard error.
    public let stderr: Data

    /// Standard output as text.
    public var output: String { String(decoding: stdout, as: UTF8.self) }
    /// Standard error as text.
    public var errors: String { String(decoding: stderr, as: UTF8.self) }
}

/// A process that a test has started.
///
/// Its output is written to files, so that it never blocks on a full pipe.
public final class RunningProcess: Sendable {
    /// The process identifier.
    public let id: Int32
    private let folder: TemporaryDirectory

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - executable: The path of the executable.
    ///   - input: The standard input. Defaults to no bytes.
    ///   - environment: Variables in addition to those of this process.
    ///   - directory: The working directory. Defaults to that of this process.
    public init(
        _ executable: URL, arguments: [String] = [], input: Data = Data(), environment: [String: String] = [:],
        directory: URL? = nil
    ) throws {
        let folder = try TemporaryDirectory()
        try folder.write(input, to: "stdin")

        var actions = emptySpawnActions
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let writing = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, folder.file("stdin").path, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, folder.file("stdout").path, writing, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, folder.file("stderr").path, writing, 0o600)

        // The test runner may ignore or block signals; processes under test must not inherit that.
        var attributes = emptySpawnAttributes
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGHUP, SIGINT, SIGPIPE, SIGTERM] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        // The shell changes the folder: posix_spawn has no portable way.
        let command =
            directory.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0.path, executable.path] }
            ?? [executable.path]
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var id: pid_t = 0
        let code = withCStrings(command + arguments) { words in
            withCStrings(variables.map { "\($0)=\($1)" }) { variables in
                posix_spawn(&id, command[0], &actions, &attributes, words, variables)
            }
        }
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        self.id = id
        self.folder = folder
    }

    /// The standard output until now.
    public var output: String { get throws { try folder.text(of: "stdout") } }

    /// Sends a signal, such as `SIGTERM`.
    public func send(_ signal: Int32) { kill(id, signal) }

    /// Waits for the end; call it once.
    ///
    /// A process that does not end within ten minutes is killed, so that its test fails instead of waiting for ever.
    public func wait() throws -> ProcessResult {
        let watchdog = DispatchWorkItem { [id] in kill(id, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(600), execute: watchdog)
        defer { watchdog.cancel() }
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1 {
            guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECHILD) }
        }
        let signal = status & 0x7f
        return ProcessResult(
            status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
            stdout: try folder.data(of: "stdout"), stderr: try folder.data(of: "stderr"))
    }
}

/// Runs an executable of the package, such as `seed-db`, and waits for its end.
public func runExecutable(
    named name: String, arguments: [String] = [], input: Data = Data(), environment: [String: String] = [:],
    directory: URL? = nil
) throws -> ProcessResult {
    try RunningProcess(
        product(name), arguments: arguments, input: input, environment: environment, directory: directory
    ).wait()
}

/// Runs POSIX shell commands and waits for their end; the package's executables are in `PATH`.
public func runShell(
    _ script: String, input: Data = Data(), environment: [String: String] = [:], directory: URL? = nil
) throws -> ProcessResult {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try RunningProcess(
        URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script], input: input,
        environment: ["PATH": productsDirectory.path + ":" + path].merging(environment) { $1 }, directory: directory
    ).wait()
}

/// Runs shell commands on a separate thread: long commands, such as a compiler, would delay the tasks of other tests.
public func runShell(
    _ script: String, input: Data = Data(), environment: [String: String] = [:], directory: URL? = nil
) async throws -> ProcessResult {
    try await withCheckedThrowingContinuation { continuation in
        Thread {
            continuation.resume(
                with: Result { try runShell(script, input: input, environment: environment, directory: directory) })
        }.start()
    }
}

// The types are structs in glibc and pointers on Darwin.
#if canImport(Glibc)
    private var emptySpawnAttributes: posix_spawnattr_t { posix_spawnattr_t() }
    private var emptySpawnActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
#else
    private var emptySpawnAttributes: posix_spawnattr_t? { nil }
    private var emptySpawnActions: posix_spawn_file_actions_t? { nil }
#endif

/// Calls `body` with a null-terminated list of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
