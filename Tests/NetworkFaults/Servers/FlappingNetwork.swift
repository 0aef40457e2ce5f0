import Foundation
import TestSupport

/// Two networks with a link: a server in one, and a client in the other.
final class FlappingNetwork: Sendable {
    /// The outcomes of the requests.
    struct Report {
        let requests: Int
        let suspensions: Int
        let failures: [String]
    }

    private let near: NetworkNamespace
    private let far: NetworkNamespace
    private let server: RunningProcess
    private let sender: RunningProcess
    private let folder: TemporaryDirectory

    init() async throws {
        near = try NetworkNamespace()
        far = try NetworkNamespace()
        folder = try TemporaryDirectory()
        try near.change(
            "link add v0 index 70 type veth peer name v1 netns \(far.name)", "addr add 10.99.0.1/24 dev v0",
            "link set v0 up")
        try far.change("addr add 10.99.0.2/24 dev v1", "link set v1 up")
        server = try far.start(product("network-faults"), arguments: ["serve", "10.99.0.2"])
        let port = try await server.firstNumber(after: "port ")
        sender = try near.start(
            product("network-faults"), arguments: ["send", "http://10.99.0.2:\(port)", folder.file("end").path])
    }

    deinit {
        for process in [server, sender] {
            process.send(SIGKILL)
            _ = try? process.wait()
        }
    }

    /// Takes the link down for some time, then up for as long.
    func flap(_ pause: Duration) async throws {
        try near.change("link set v0 down")
        try await Task.sleep(for: pause)
        try near.change("link set v0 up")
        try await Task.sleep(for: pause)
    }

    /// Waits for the end of all requests.
    func end() async throws -> Report {
        try folder.write("", to: "end")
        let suspensions = try await sender.firstNumber(after: "requests, ")
        let lines = try sender.output.split(separator: "\n").map(String.init)
        let requests = lines.last?.prefix { $0.isNumber }
        return Report(
            requests: requests.flatMap { Int($0) } ?? 0, suspensions: suspensions, failures: lines.dropLast())
    }
}

extension RunningProcess {
    /// The number after some words of its output, when it is printed.
    fileprivate func firstNumber(after words: String) async throws -> Int {
        for _ in 0..<6000 {
            let text = try output
            if let range = text.range(of: words), let number = Int(text[range.upperBound...].prefix { $0.isNumber }) {
                return number
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw ServerError("it did not say '\(words)': \(try output)")
    }
}
