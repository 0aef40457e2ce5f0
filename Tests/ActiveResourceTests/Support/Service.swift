import ActiveResource
import LoopbackServer
import Synchronization

/// A service that responds by a closure and records requests.
final class Service: Sendable {
    /// A received request.
    struct Received: Sendable, CustomStringConvertible {
        let method: String
        let target: String
        let headers: [Header]
        let body: String

        /// The method, the target and the body, such as `PUT /people/1.json {"name":"Ann"}`.
        var description: String { body.isEmpty ? "\(method) \(target)" : "\(method) \(target) \(body)" }
    }

    /// The site of the resources of the tests.
    @TaskLocal static var site = ResourceSite(URL(filePath: "/no/site"))

    let server: LoopbackServer
    private let log: Log

    private final class Log: Sendable {
        let received = Mutex<[Received]>([])
    }

    init(_ answer: @escaping @Sendable (Received) throws -> Answer?) throws {
        let log = Log()
        self.log = log
        server = try LoopbackServer { request in
            let body = String(decoding: try request.body(), as: UTF8.self)
            let received = Received(
                method: request.method, target: request.target, headers: request.headers, body: body)
            log.received.withLock { $0.append(received) }
            return try answer(received) ?? Answer(404, body: "{}".utf8)
        }
    }

    var received: [Received] { log.received.withLock { $0 } }
    var requests: [String] { received.map(\.description) }
}

/// Runs a test with a service that responds by method and target, such as `["GET /people/1.json": Answer(…)]`.
func serving(
    _ answers: [String: Answer], path: String = "", change: @Sendable (inout ResourceSite) -> Void = { _ in },
    _ test: (Service) async throws -> Void
) async throws {
    let service = try Service { answers["\($0.method) \($0.target)"] }
    let site = ResourceSite(service.server.url(path)).with(change)
    try await Service.$site.withValue(site) { try await test(service) }
}

extension Answer {
    /// A response with JSON.
    static func json(_ text: String, _ status: Int = 200, _ headers: [String: String] = [:]) -> Answer {
        Answer(status, headers: headers.map { Header($0.key, $0.value) }, body: text.utf8)
    }
}

/// Answers in order.
final class Replies: Sendable {
    private let answers: Mutex<ArraySlice<Answer>>

    init(_ answers: [Answer]) { self.answers = Mutex(answers[...]) }

    func next() -> Answer? { answers.withLock { $0.popFirst() } }
}
