import ActiveResource
import Foundation
import MappingTestSupport
import ObjectStore
import Seeder
import Synchronization
import TestSupport
import Testing

/// The handler belongs to the process, in which other tests run: each test reads the messages about its own names.
@Suite("The log", .serialized) struct LogMessageTests {
    final class Log: Sendable {
        let messages = Mutex<[LogMessage]>([])

        init(from level: LogMessage.Level) {
            LogMessage.setHandler(from: level) { [self] message in messages.withLock { $0.append(message) } }
        }

        /// The messages with a text, without times and ports.
        func lines(with text: String) -> [String] {
            messages.withLock { $0.map(\.description).filter { $0.contains(text) } }
                .map {
                    $0.replacing(/, in [0-9.e-]+ seconds/, with: "").replacing(/[0-9.e-]+ seconds/, with: "0 seconds")
                }
        }
    }

    struct LoggedSeal: Mappable, Sendable {
        var id = 0
        static let mapping = Mapping(LoggedSeal.init) { Attribute("id", \.id) }
    }

    struct LoggedWalrus: Resource {
        static let stub = StubTransport()
        static let site = ResourceSite(
            URL(string: "http://walrus.test") ?? URL(filePath: "/"), transport: stub)
        var id: Int?
        var resource = ResourceState()
        static let mapping = Mapping(LoggedWalrus.init) { Attribute("id", \.id) }
    }

    final class LoggedOtter: ManagedObject {
        @Stored var name = ""
    }

    @Test func `Requests log their outcome and retries, without queries and users`() async throws {
        let log = Log(from: .debug)
        defer { LogMessage.setHandler(nil) }
        let stub = StubTransport()
        stub.on(.get, "/a", StubResponse(status: 503), StubResponse(json: "{}"))
        stub.on(.post, "/b", failure: TransportFailure(.secureConnectionFailed, "no common cipher"))
        let url = try #require(URL(string: "http://user:secret@logged.test"))
        let client = RESTClient(baseURL: url, transport: stub)
        client.retryPolicy = RetryPolicy(attempts: 2, baseDelay: .zero)
        _ = try await client.get("/a", query: ["token": "secret"])
        _ = await client.request(.post, "/b").result()
        #expect(
            log.lines(with: "logged.test") == [
                "[RequestQueue] info: GET http://logged.test/a?…: attempt 2 in 0 seconds, after 503",
                "[RequestQueue] debug: GET http://logged.test/a?…: status 200 in attempt 2, application/json, 2 bytes",
                "[RequestQueue] error: POST http://logged.test/b: TLS failed while connecting: no common cipher",
            ])
        #expect(log.lines(with: "secret").isEmpty)
    }

    @Test func `Decoding logs its issues from the level of the handler`() throws {
        let log = Log(from: .warning)
        defer { LogMessage.setHandler(nil) }
        _ = try LoggedSeal.mapping.map(#"{"id": 1}"#)
        _ = try? LoggedSeal.mapping.map(#"{"id": "secret"}"#)
        #expect(
            log.lines(with: "LoggedSeal") == [
                "[ObjectMapping] error: 1:8 $.id: expected an integer, found a string that cannot be converted to an "
                    + "integer (rule id -> LoggedSeal.id)",
                "[ObjectMapping] error: LoggedSeal: failed with 1 issue",
            ])
        LogMessage.setHandler(nil)
        _ = try? LoggedSeal.mapping.map(#"{"id": "secret"}"#)
        #expect(log.lines(with: "LoggedSeal").count == 2)
    }

    @Test func `A suspended queue whose request is awaited logs that it has to be started, once`() async throws {
        let log = Log(from: .warning)
        defer { LogMessage.setHandler(nil) }
        let stub = StubTransport()
        stub.on(.get, "/a", StubResponse(json: "{}"))
        let client = RESTClient(baseURL: try #require(URL(string: "http://queued.test")), transport: stub)
        let queue = RequestQueue.named("LoggedQueue")
        queue.suspend()
        let requests = (0..<2).map { _ in queue.add(client.request("/a")) }
        let tasks = requests.map { request in Task { try await request.response.status } }
        let line =
            "[RequestQueue] warning: the queue 'LoggedQueue' is suspended and holds 2 requests; call start() to send them"
        #expect(await eventually { log.lines(with: "LoggedQueue") == [line] })
        queue.start()
        for task in tasks { #expect(try await task.value == 200) }
        _ = try await queue.send(client.request("/a"))
        #expect(log.lines(with: "LoggedQueue") == [line])
        queue.suspend()
        let last = queue.add(client.request("/a"))
        async let finished: Void = queue.waitUntilFinished()
        #expect(
            await eventually {
                log.lines(with: "LoggedQueue").last?.contains("holds 1 request; call start() to send it") == true
            })
        last.cancel()
        await finished
    }

    @Test(arguments: [RequestQueue.SuspensionReason.background, .reachability])
    func `A queue that resumes by itself logs nothing`(_ reason: RequestQueue.SuspensionReason) async throws {
        let log = Log(from: .warning)
        defer { LogMessage.setHandler(nil) }
        let stub = StubTransport()
        stub.on(.get, "/a", StubResponse(json: "{}"))
        let client = RESTClient(baseURL: try #require(URL(string: "http://queued.test")), transport: stub)
        let queue = RequestQueue.named("SilentQueue \(reason)")
        queue.start()
        queue.suspend(for: reason)
        let request = queue.add(client.request("/a"))
        async let status = request.response.status
        queue.resume(for: reason)
        #expect(try await status == 200)
        #expect(log.lines(with: "SilentQueue").isEmpty)
    }

    @Test func `A handler is called after any number of messages`() {
        let count = Atomic(0)
        LogMessage.setHandler { message in
            if message.text == "one of many" { count.wrappingAdd(1, ordering: .relaxed) }
        }
        defer { LogMessage.setHandler(nil) }
        for _ in 0..<100_000 { LogMessage.log(.seeder, .info, "one of many") }
        #expect(count.load(ordering: .relaxed) == 100_000)
    }

    @Test func `Stores log statements, seeders their phases, resources their requests`() async throws {
        let log = Log(from: .debug)
        defer { LogMessage.setHandler(nil) }
        let store = try ManagedObjectStore(inMemory: ObjectModel(LoggedOtter.self))
        #expect(try await store.perform { try $0.count(LoggedOtter.all) } == 0)
        #expect(log.lines(with: "LoggedOtter").contains { $0.hasPrefix("[ObjectStore] debug: ") })

        let folder = try TemporaryDirectory()
        let dump = try folder.write(#"[{"id": 1}, {"id": "x"}]"#, to: "logged-seals.json")
        let model = try ObjectModel(entities: [
            EntityDescription("Seal", attributes: [AttributeDescription("id", AttributeType(.integer))])
        ])
        var options = SeedOptions()
        options.onError = .skip
        var seeder = ObjectSeeder(model: model, output: folder.file("seed.sqlite"), options: options)
        try seeder.seed(from: dump, with: EntityMapping("Seal", ["id": "id"]))
        _ = try seeder.finish()
        #expect(log.lines(with: "logged-seals.json").count == 3)
        #expect(log.lines(with: "logged-seals.json").first?.hasPrefix("[Seeder] info: reading ") == true)

        LoggedWalrus.stub.on(.get, "/logged_walrus/7.json", StubResponse(status: 404))
        await #expect(throws: ResourceError.self) { try await LoggedWalrus.find(7) }
        #expect(
            log.lines(with: "walrus.test").contains {
                $0.hasPrefix("[ActiveResource] error: GET http://walrus.test/logged_walrus/7.json: status 404, ")
            })
    }

    @Test func `A list whose path responds with 404 is empty, and a warning names the path`() async throws {
        let log = Log(from: .warning)
        defer { LogMessage.setHandler(nil) }
        LoggedWalrus.stub.on(.get, "/absent.json", StubResponse(status: 404))
        #expect(try await LoggedWalrus.all(from: .path("/absent.json")).records.isEmpty)
        #expect(
            log.lines(with: "read as an empty list") == [
                "[ActiveResource] warning: GET http://walrus.test/absent.json: status 404, no content type, 0 bytes: "
                    + "not found: read as an empty list; if the list exists, check the path of the site and the resource"
            ])
    }

    @Test func `A request without a response is logged as an error once`() async throws {
        let log = Log(from: .warning)
        defer { LogMessage.setHandler(nil) }
        LoggedWalrus.stub.on(
            .get, "/logged_walrus/8.json", failure: TransportFailure(.connectionRefused, "no server at the port"))
        await #expect(throws: ResourceError.self) { try await LoggedWalrus.find(8) }
        #expect(
            log.lines(with: "/logged_walrus/8.json") == [
                "[RequestQueue] error: GET http://walrus.test/logged_walrus/8.json: the connection was refused while "
                    + "connecting: no server at the port"
            ])
    }
}
