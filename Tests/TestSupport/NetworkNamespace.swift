public import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An isolated network of a test: Linux, root and iproute2 only.
///
/// ```swift
/// let network = try NetworkNamespace(files: ["hosts": "10.99.0.2 peer.test"])
/// try network.change("link add v0 type veth peer name v1", "addr add 10.99.0.1/24 dev v0")
/// let process = try network.start(product("loopback-server"))
/// ```
///
/// It is removed with its last reference; those of killed runs are removed by the next run.
public final class NetworkNamespace: Sendable {
    /// The name for `ip netns`.
    public let name: String

    private static let prefix = "mappingkit-"
    private static let count = Mutex(0)

    /// Creates a network whose only link is a loopback that is down.
    ///
    /// - Parameter files: The files of its processes in `/etc`, by name.
    public init(files: [String: String] = [:]) throws {
        Self.removeLeftOvers
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        name = "\(Self.prefix)\(getpid())-\(number)"
        for (file, text) in files { try write(text, to: file) }
        try ip("netns", "add", name)
    }

    deinit { Self.remove(name) }

    /// Why a network cannot be created here; nil if it can.
    public static let problem: String? = {
        guard executable != nil else { return "iproute2's `ip` is not installed" }
        guard geteuid() == 0 else { return "only root may make network namespaces" }
        do {
            let network = try NetworkNamespace()
            let trial = try network.start(URL(fileURLWithPath: "/bin/true")).wait()
            return trial.status == 0 ? nil : "no process can enter a network namespace: \(trial.errors)"
        } catch {
            return "no network namespace can be made: \(error)"
        }
    }()

    /// Changes the network by lines for `ip`, in one batch.
    public func change(_ lines: String...) throws { try change(lines) }

    /// Changes the network by lines for `ip`, in one batch.
    public func change(_ lines: [String]) throws {
        try ip("-n", name, "-batch", "-", input: lines.joined(separator: "\n") + "\n")
    }

    /// Starts a process that has only this network.
    public func start(_ executable: URL, arguments: [String] = [], input: Data = Data()) throws -> RunningProcess {
        // `ip` is replaced by the process.
        try RunningProcess(
            try Self.tool(), arguments: ["netns", "exec", name, executable.path] + arguments, input: input)
    }

    /// Writes a file of its processes in `/etc`; running processes see it only if it existed at their start.
    public func write(_ text: String, to file: String) throws {
        let folder = URL(fileURLWithPath: "/etc/netns").appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // In place: processes have this file, not another one of the same name.
        try Data(text.utf8).write(to: folder.appendingPathComponent(file))
    }

    private func ip(_ words: String..., input: String = "") throws {
        let result = try RunningProcess(try Self.tool(), arguments: words, input: Data(input.utf8)).wait()
        guard result.status == 0 else {
            throw NetworkError(description: "ip \(words.joined(separator: " ")): \(result.errors)\n\(input)")
        }
    }

    private static let executable = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"]
        .first(where: FileManager.default.isExecutableFile).map { URL(fileURLWithPath: $0) }

    private static func tool() throws -> URL {
        guard let executable else { throw NetworkError(description: "iproute2's `ip` is not installed") }
        return executable
    }

    private static func remove(_ name: String) {
        _ = try? RunningProcess(tool(), arguments: ["netns", "del", name]).wait()
        try? FileManager.default.removeItem(atPath: "/etc/netns/\(name)")
    }

    /// Removes the networks of ended processes.
    private static let removeLeftOvers: Void = {
        let names = ["/run/netns", "/var/run/netns", "/etc/netns"].flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
        }
        for name in Set(names) where name.hasPrefix(prefix) {
            let owner = name.dropFirst(prefix.count).prefix { $0 != "-" }
            if let id = pid_t(owner), kill(id, 0) != 0, errno == ESRCH { remove(name) }
        }
    }()
}

private struct NetworkError: Error, CustomStringConvertible {
    let description: String
}
