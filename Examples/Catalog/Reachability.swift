import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let reachability = Example(
    "reachability", group: "Requests", "Requests without a network: they fail immediately, or wait for the network",
    options: ["--network-namespace"]
) { story in
    if let words = try tellInOwnNetwork("reachability") { return print(words, terminator: "") }
    let network = OwnNetwork(host: "10.99.0.2")
    let observer = network.observer

    story.say(
        "An observer determines whether packets for a host can leave this machine, and reports changes:")
    story.showCode("watch")
    story.say(
        """
        Here a cable is plugged in and unplugged. With `--network-namespace`, as root on Linux, it is a cable of this
        example's own network, and the kernel reports it. Otherwise the example reports the changes itself, like tests.
        """)
    story.show("at first                    \(observer.state)")
    try await network.plugIn()
    story.show("a link with an address      \(observer.state)")
    try await network.pullOut()
    story.show("the cable is unplugged      \(observer.state)")

    story.say("A client with an observer does not send a request without a network. The request fails immediately:")
    story.showCode("fail")
    let server = try LoopbackServer()
    let client = RESTClient(baseURL: server.url)
    story.show(await fetchIfReachable(client, observer).replacing(server.url.absoluteString, with: ""))
    story.show("The server received \(server.requests.count) requests.")

    story.say("A queue can wait instead. The order of the requests is unchanged:")
    story.showCode("wait")
    let queue = RequestQueue(concurrentRequestsLimit: 1)
    let requests = addThree(to: queue, client, observer)
    story.show(
        "\(queue.waitingCount) wait, as the queue is suspended for \(queue.suspensionReasons.map(\.rawValue))"
    )
    try await network.plugIn()
    story.show("the cable is plugged in     \(observer.state)")
    for (number, request) in zip(1..., requests) {
        story.show("number \(number)  status \(try await request.response.status)")
    }
    story.show("The server received \(server.requests.map(\.target).joined(separator: ", ")).")
}

// snippet.watch
func watch(_ host: String) -> Task<Void, Never> {
    let observer = ReachabilityObserver(host: host)
    return Task {
        for await state in observer.changes { print(state) }
    }
}
// snippet.end

// snippet.fail
func fetchIfReachable(_ client: RESTClient, _ observer: ReachabilityObserver) async -> String {
    client.reachabilityObserver = observer
    do {
        return "status \(try await client.get("/ok").status)"
    } catch {
        return error.kind == .offline ? "offline: \(error)" : "\(error)"
    }
}
// snippet.end

// snippet.wait
func addThree(to queue: RequestQueue, _ client: RESTClient, _ observer: ReachabilityObserver) -> [QueuedRequest] {
    queue.observeReachability(observer, whenOffline: .wait)
    queue.start()
    var requests: [QueuedRequest] = []
    for number in 1...3 { requests.append(queue.add(client.request(.get, "/ok?number=\(number)"))) }
    return requests
}
// snippet.end

/// A network with one cable: that of this process's network namespace, or a simulated one.
private struct OwnNetwork {
    /// Whether this process runs in its own network namespace.
    static let variable = "CATALOG_NETWORK"

    let observer: ReachabilityObserver
    private let isReal = ProcessInfo.processInfo.environment[variable] != nil

    init(host: String) {
        observer = isReal ? ReachabilityObserver(host: host) : ReachabilityObserver(initially: .notReachable(.noRoute))
        if isReal { try? ip("link add v0 type veth peer name v1", "addr add 10.99.0.1/24 dev v0") }
    }

    func plugIn() async throws {
        try await change("link set v1 up", "link set v0 up", to: .reachable(via: NetworkInterface(.wired, name: "v0")))
    }

    func pullOut() async throws {
        try await change("link set v1 down", to: .notReachable(.noCarrier(interface: "v0")))
    }

    private func change(_ lines: String..., to state: ReachabilityState) async throws {
        guard isReal else { return observer.report(state) }
        let changes = observer.changes
        for line in lines { try ip(line) }
        for await news in changes where news == state { break }
    }
}

/// Runs the example again in its own network namespace and returns what it prints; nil unless the user asked for that.
///
/// By default the example does not change the system's network.
private func tellInOwnNetwork(_ example: String) throws -> String? {
    guard CommandLine.arguments.contains("--network-namespace"),
        ProcessInfo.processInfo.environment[OwnNetwork.variable] == nil
    else { return nil }
    let name = "catalog-\(ProcessInfo.processInfo.processIdentifier)"
    guard let executable = Bundle.main.executablePath, (try? ip("netns add \(name)")) != nil else {
        throw UnavailableNetwork()
    }
    defer { _ = try? ip("netns del \(name)") }
    // Foundation's `Process` connects to itself.
    try ip("-n \(name) link set lo up")
    let words = try run(
        ["timeout", "20", "ip", "netns", "exec", name, executable, example], environment: [OwnNetwork.variable: name])
    // The parent has printed the first line.
    return words.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init)
}

private struct UnavailableNetwork: Error, CustomStringConvertible {
    let description = "--network-namespace requires Linux, root and iproute2, and the permission to create namespaces"
}

/// Runs `ip` with each line as its arguments.
private func ip(_ lines: String...) throws {
    for line in lines { _ = try run(["ip"] + line.split(separator: " ").map(String.init)) }
}

/// The output of a program, which is found in `PATH`.
private func run(_ words: [String], environment: [String: String] = [:]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = ProcessInfo.processInfo.environment
        .merging(["PATH": path + ":/usr/sbin:/sbin"]) { $1 }.merging(environment) { $1 }
    let said = Pipe()
    (process.standardInput, process.standardOutput, process.standardError) = (
        FileHandle.nullDevice, said, FileHandle.nullDevice
    )
    try process.run()
    let words = try said.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    return String(decoding: words, as: UTF8.self)
}
