import Foundation
import LoopbackServer
import MappedRequests
import Synchronization
import TestSupport
import Testing

/// The client of the page *Writing a client* with a server that imitates the REST API of a well-known issue tracker.
@Suite("The client of the documentation")
struct IssueTrackerTests {
    /// Responds like `https://api.github.com/repos/octocat/kettle`.
    private final class Service: Sendable {
        private let state = Mutex(State())
        let server: LoopbackServer

        private struct State {
            var titles = ["Leaks", "Whistles", "Too hot", "Too blue", "No lid"]
            var version = 1
            var limitedRequests = 0
            var patches: [String] = []
        }

        init() throws {
            // The handler is called after the server has started.
            let box = Mutex<Service?>(nil)
            server = try LoopbackServer { request in try box.withLock { $0 }?.answer(request) }
            box.withLock { $0 = self }
        }

        func tracker(token: String = "t0ken") -> IssueTracker {
            IssueTracker(server.url("/repos/octocat/kettle"), token: token)
        }

        var patches: [String] { state.withLock { $0.patches } }

        /// Refuses the next requests because of the rate limit.
        func limit(_ count: Int) { state.withLock { $0.limitedRequests = count } }

        private static func message(_ status: Int, _ text: String) -> Answer {
            Answer(status, body: #"{"message": "\#(text)", "documentation_url": "https://docs.example.com"}"#.utf8)
        }

        private func answer(_ request: Request) throws -> Answer? {
            guard request.headers["authorization"] == "Bearer t0ken" else {
                return Self.message(401, "Bad credentials")
            }
            let isLimited = state.withLock { state in
                state.limitedRequests -= 1
                return state.limitedRequests >= 0
            }
            if isLimited {
                let headers = [Header("X-RateLimit-Remaining", "0"), Header("X-RateLimit-Reset", "0")]
                return Answer(403, headers: headers, body: #"{"message": "API rate limit exceeded"}"#.utf8)
            }
            let path = request.target.split(separator: "?")[0].replacing("/repos/octocat/kettle", with: "")
            switch (request.method, path) {
            case ("GET", "/milestones"): return Answer(body: #"[{"number": 1, "title": "1.0", "open_issues": 4}]"#.utf8)
            case ("GET", "/issues"): return list(request)
            case ("POST", "/assets"):
                let bytes = try request.body()
                guard request.parameter("name") != "taken.zip" else { return Self.message(422, "Name is taken") }
                return Answer(201, body: #"{"id": 12, "size": \#(bytes.count)}"#.utf8)
            case (_, _) where path.hasPrefix("/issues/"):
                guard let number = Int(path.dropFirst(8)), (1...5).contains(number) else {
                    return Self.message(404, "Not Found")
                }
                return request.method == "PATCH" ? try change(number, request) : Answer(body: json(number).utf8)
            default: return Self.message(404, "Not Found")
            }
        }

        private func json(_ number: Int) -> String {
            let title = state.withLock { $0.titles[number - 1] }
            return #"{"number": \#(number), "title": "\#(title)", "state": "open", "user": {"login": "ann", "id": 5}}"#
        }

        private func list(_ request: Request) -> Answer {
            let tag = "\"v\(state.withLock { $0.version })\""
            if request.headers["if-none-match"] == tag { return Answer(304, headers: [Header("ETag", tag)]) }
            let size = request.parameter("per_page").flatMap { Int($0) } ?? 30
            let page = request.parameter("page").flatMap { Int($0) } ?? 1
            let numbers = Array((1...5).dropFirst((page - 1) * size).prefix(size))
            var headers = [Header("ETag", tag)]
            if page * size < 5 {
                let base = "\(server.url)/repos/octocat/kettle/issues?fields=number,title&per_page=\(size)&page="
                let last = (5 + size - 1) / size
                headers.append(
                    Header("Link", "<\(base)\(page + 1)>; rel=\"next\"; title=\"a, b\", <\(base)\(last)>; rel=\"last\"")
                )
            }
            return Answer(headers: headers, body: "[\(numbers.map(json).joined(separator: ","))]".utf8)
        }

        private func change(_ number: Int, _ request: Request) throws -> Answer {
            let body = String(decoding: try request.body(), as: UTF8.self)
            state.withLock { $0.patches.append(body) }
            guard let title = try JSON(body)["title"].string else { return Self.message(422, "Validation Failed") }
            state.withLock { state in
                state.titles[number - 1] = title
                state.version += 1
            }
            return Answer(body: json(number).utf8)
        }
    }

    private func failure<Value>(_ call: () async throws(TrackerError) -> Value) async -> TrackerError? {
        do throws(TrackerError) {
            _ = try await call()
            return nil
        } catch { return error }
    }

    @Test func `Codable and mapped types are requested with the token`() async throws {
        let tracker = try Service().tracker()
        #expect(try await tracker.milestones() == [Milestone(number: 1, title: "1.0")])
        #expect(try await tracker.issue(2) == TrackedIssue(number: 2, title: "Whistles", author: "ann"))
    }

    @Test func `All pages are requested by their links`() async throws {
        let service = try Service()
        #expect(try await service.tracker().allIssues().map(\.number) == [1, 2, 3, 4, 5])
        #expect(service.server.requests.map { $0.target.hasSuffix("page=3") } == [false, false, true])
    }

    @Test func `An unchanged list is not sent again`() async throws {
        let tracker = try Service().tracker()
        let first = try #require(try await tracker.issues(changedSince: nil))
        #expect(first.issues.count == 5 && first.tag == "\"v1\"")
        #expect(try await tracker.issues(changedSince: first.tag) == nil)
        var issue = first.issues[0]
        issue.title = "Drips"
        _ = try await tracker.update(issue, from: first.issues[0])
        #expect(try await tracker.issues(changedSince: first.tag)?.issues[0].title == "Drips")
    }

    @Test func `Only changed properties are sent`() async throws {
        let service = try Service()
        let tracker = service.tracker()
        let old = try await tracker.issue(3)
        var issue = old
        issue.title = "Too cold"
        #expect(try await tracker.update(issue, from: old) == issue)
        #expect(service.patches == [#"{"title":"Too cold"}"#])
    }

    @Test(arguments: [1, 2]) func `A rate limit with status 403 is waited for`(count: Int) async throws {
        let service = try Service()
        service.limit(count)
        #expect(try await service.tracker().issue(1).number == 1)
        #expect(service.server.statistics.requests == count + 1)
    }

    @Test func `A rate limit that lasts is an unexpected error with the message of the server`() async throws {
        let service = try Service()
        service.limit(3)
        let tracker = service.tracker()
        let error = await failure { () throws(TrackerError) in try await tracker.issue(1) }
        guard case .unexpected(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.response?.attempts == 3 && cause.serverMessage == "API rate limit exceeded")
        #expect(!"\([error])".contains("rate limit") && cause.details.contains("API rate limit exceeded"))
    }

    @Test func `A file is uploaded with its progress`() async throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Data(count: 300_000), to: "kettle.zip")
        let service = try Service()
        let fractions = Mutex<[Double]>([])
        let asset = try await service.tracker().upload(file, as: "kettle.zip") { fraction in
            fractions.withLock { $0.append(fraction) }
        }
        #expect(asset == Asset(id: 12, size: 300_000))
        #expect(fractions.withLock { $0.last } == 1)
    }

    @Test func `Each failure is a case of the app's error`() async throws {
        let service = try Service()
        let tracker = service.tracker()
        let folder = try TemporaryDirectory()
        let file = try folder.write("zip", to: "taken.zip")
        let old = try await tracker.issue(1)
        var closed = old
        closed.state = .closed
        let unsupported = closed
        let errors = [
            await failure { () throws(TrackerError) in try await tracker.issue(99) },
            await failure { () throws(TrackerError) in try await service.tracker(token: "other").issue(1) },
            await failure { () throws(TrackerError) in try await tracker.update(unsupported, from: old) },
            await failure { () throws(TrackerError) in try await tracker.upload(file, as: "taken.zip") { _ in } },
            await failure { () throws(TrackerError) in
                try await tracker.upload(folder.file("missing.zip"), as: "a") { _ in }
            },
            await failure { () throws(TrackerError) in
                try await IssueTracker(service.server.url("/elsewhere"), token: "t0ken").milestones()
            },
        ]
        let names = errors.map { error -> String in
            switch error {
            case .cancelled: "cancelled"
            case .offline: "offline"
            case .signedOut: "signed out"
            case .notFound: "not found"
            case .rejected(let message): message
            case .unexpected(let cause): "\(cause.requestError?.kind.rawValue ?? cause.kind.rawValue)"
            case nil: "none"
            }
        }
        #expect(
            names == [
                "not found", "signed out", "Validation Failed", "Name is taken", "bodyUnreadable", "not found",
            ])
        service.server.stop()
        guard case .offline = await failure({ () throws(TrackerError) in try await tracker.milestones() }) else {
            Issue.record("not offline")
            return
        }
    }

    @Test(arguments: ["IssueTracker.swift", "IssueTrackerStubTests.swift"])
    func `The page shows the code that these tests compile and run`(_ file: String) throws {
        let page = try resourceText("Sources/MappedRequests/Documentation.docc/WritingAClient.md")
        let code = try resourceText("Tests/MappedRequestsTests/Client/\(file)")
        #expect(page.contains("\n\(code)```\n"))
    }
}
