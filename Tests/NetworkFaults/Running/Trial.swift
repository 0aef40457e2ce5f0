import Foundation
import LoopbackServer
import RequestQueue
import Synchronization

/// One fault with one server: sends the requests, counts their outcomes, and records findings.
final class Trial: Sendable {
    /// The time after which a request without an outcome counts as hanging.
    static let patience: Duration = .seconds(30)

    /// A unique name, for servers with a memory.
    let id = UUID().uuidString
    let site: Site
    let count: Int
    let servers: Servers
    /// The client with a separate transport, so that no connection outlives the trial.
    let client: RESTClient
    /// The server of this trial, if it is the package's.
    let loopback: LoopbackServer?
    private let base: URL
    private let state = Mutex(State())

    private struct State {
        var findings = Findings()
        /// The number of outcomes of each request.
        var outcomes: [Int] = []
    }

    @TaskLocal private static var run = -1

    init(of fault: Fault, on site: Site, count: Int, servers: Servers) throws {
        self.site = site
        self.count = count
        self.servers = servers
        // Records of requests would count as memory of the client, which is in the same process.
        loopback = site == .loopback ? try LoopbackServer(recordLimit: 16, handler: answerOddly) : nil
        base = loopback?.url ?? servers.url(of: site)
        client = RESTClient(baseURL: base, transport: Self.transport)
    }

    private static var transport: any Transport {
        #if os(Linux)
            CurlTransport(options: CurlTransport.Options(connectionsPerHost: 0))
        #else
            URLSessionTransport()
        #endif
    }

    /// The URL of a target, such as "/bytes?n=5".
    func url(_ target: String) -> String { base.absoluteString + target }

    // MARK: Findings

    var findings: Findings { state.withLock { $0.findings } }

    func fail(_ message: String) {
        let run = Self.run
        state.withLock { $0.findings.add(String(message.prefix(400)), run: run) }
    }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fail(message()) }
    }

    /// Attributes findings to a run.
    func inRun(_ run: Int, _ body: () -> Void) { Self.$run.withValue(run, operation: body) }

    /// Runs it as often as the fault says, some concurrently.
    func repeated(atOnce: Int = 1, _ body: @escaping @Sendable (Int) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for start in 0..<min(atOnce, count) {
                group.addTask {
                    for run in stride(from: start, to: self.count, by: atOnce) {
                        await Self.$run.withValue(run) {
                            do { try await body(run) } catch { self.fail("\(error)") }
                        }
                    }
                }
            }
        }
    }

    // MARK: Requests

    /// A request for a target of the site, or for an absolute URL.
    func request(_ method: HTTPMethod, _ target: String) -> RESTRequest { client.request(method, target) }

    func send(
        _ method: HTTPMethod, _ target: String, _ change: (inout RESTRequest) -> Void = { _ in }
    ) async -> Outcome {
        var request = request(method, target)
        change(&request)
        return await send(request)
    }

    /// Sends a request and waits for its first outcome; other outcomes are checked at the end.
    func send(_ request: RESTRequest) async -> Outcome { await begin(request).outcome }

    func begin(_ request: RESTRequest) -> SentRequest {
        let (first, count) = expectOutcome()
        let handle = request.send { count($0) }
        return SentRequest(first) { handle.cancel() }
    }

    func begin(_ request: RESTRequest, in queue: RequestQueue) -> SentRequest {
        let (first, count) = expectOutcome()
        let queued = queue.add(request) { count($0) }
        return SentRequest(first) { queued.cancel() }
    }

    private func expectOutcome() -> (FirstOutcome, @Sendable (Result<RESTResponse, RequestError>) -> Void) {
        let number = state.withLock { state in
            state.outcomes.append(0)
            return state.outcomes.count - 1
        }
        let first = FirstOutcome()
        return (
            first,
            { result in
                self.state.withLock { $0.outcomes[number] += 1 }
                first.came(result)
            }
        )
    }

    /// Final checks: one outcome for each request, only valid HTTP was sent, no connection is left.
    func finish() async {
        // A second outcome would be late.
        if state.withLock({ !$0.outcomes.isEmpty }) { try? await Task.sleep(for: .milliseconds(5)) }
        let wrong = state.withLock { state in state.outcomes.filter { $0 != 1 } }
        expect(wrong.isEmpty, "\(wrong.count) requests had not one outcome but \(Set(wrong).sorted())")
        guard let statistics = loopback?.statistics else { return }
        expect(
            statistics.malformedRequests == 0,
            "\(statistics.malformedRequests) requests were no HTTP: \(statistics.malformations.prefix(3))")
    }
}
