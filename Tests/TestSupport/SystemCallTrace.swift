public import Foundation

/// What a process does to make files durable, as `strace` shows it.
public struct SystemCallTrace: Sendable {
    /// The calls of `fsync` and `rename` that succeeded, in order: `fsync a.tmp`, `rename a.tmp -> a`.
    ///
    /// Files are shown by their last names, with `*` for random parts; the folder of a renamed file is `.`.
    public let calls: [String]
    /// How the process ended.
    public let result: ProcessResult

    /// Whether processes can be traced here.
    public static let isAvailable = (try? runShell("strace -o /dev/null true").status) == 0

    /// Runs a tool of this package.
    ///
    /// - Parameters:
    ///   - command: The tool and its arguments, as a shell reads them.
    ///   - rename: The number of the call of `rename`, from 1, before which the process is killed. Defaults to `nil`.
    ///   - directory: The working directory. Defaults to that of this process.
    public init(of command: String, killedBeforeRename rename: Int? = nil, directory: URL? = nil) throws {
        let folder = try TemporaryDirectory()
        let injection = rename.map { "-e inject=rename,renameat,renameat2:signal=KILL:when=\($0)" } ?? ""
        // Leaks cannot be detected in a traced process.
        result = try runShell(
            """
            exec strace -f -y -E ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" -o '\(folder.file("trace").path)' \
            -e trace=fsync,fdatasync,rename,renameat,renameat2 \(injection) \(command)
            """, directory: directory)
        calls = Self.calls(in: try folder.text(of: "trace"))
    }

    private static func calls(in trace: String) -> [String] {
        // A call that others interrupt is shown in two parts; one that the process did not survive has no second part.
        var started: [Substring: Substring] = [:]
        let lines = trace.split(separator: "\n").compactMap { line -> String? in
            let process = line.prefix { $0 != " " }
            if line.hasSuffix("<unfinished ...>") { started[process] = line }
            let start = line.contains(" resumed>") ? started.removeValue(forKey: process) ?? "" : ""
            return line.hasSuffix(" = 0") ? String(start + line) : nil
        }
        let targets = lines.compactMap { $0.firstMatch(of: /rename[^(]*\([^"]*"[^"]*"[^"]*"([^"]*)"/) }
        let folders = Set(targets.map { URL(filePath: String($0.1)).deletingLastPathComponent().lastPathComponent })
        return lines.compactMap { line in
            if let call = line.firstMatch(of: /f(?:data)?sync\(\d+<([^>]*)>/) {
                let name = name(String(call.1))
                return "fsync \(folders.contains(name) ? "." : name)"
            }
            guard let call = line.firstMatch(of: /rename[^(]*\([^"]*"([^"]*)"[^"]*"([^"]*)"/) else { return nil }
            return "rename \(name(String(call.1))) -> \(name(String(call.2)))"
        }
    }

    private static func name(_ path: String) -> String {
        (path.split(separator: "/").last.map(String.init) ?? path)
            .replacing(/\.[0-9a-f]{16}\.tmp$/, with: ".*.tmp").replacing(/-[a-z0-9]+\.tmp$/, with: "-*.tmp")
    }
}
