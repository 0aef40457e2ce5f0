import MappedRequests
import MappingTestSupport
import Testing

@Suite struct IssueTrackerStubTests {
    private let stub = StubTransport()
    private let tracker: IssueTracker

    init() throws {
        let url = try #require(URL(string: "https://api.example.com/repos/octocat/kettle"))
        tracker = IssueTracker(url, token: "secret", transport: stub)
    }

    @Test func `Only changes are sent`() async throws {
        let old = TrackedIssue(number: 7, title: "Leaks", author: "ann")
        stub.on(.patch, "/repos/octocat/kettle/issues/7", StubResponse(json: #"{"number": 7, "title": "Drips"}"#))
        var issue = old
        issue.title = "Drips"
        #expect(try await tracker.update(issue, from: old).title == "Drips")
        #expect(stub.requests.map(\.text) == [#"{"title":"Drips"}"#])
        #expect(stub.requests.first?.headers["Authorization"] == "Bearer secret")
    }

    @Test func `An exceeded rate limit is waited for`() async throws {
        let limited = StubResponse(status: 403, headers: ["Retry-After": "0"])
        stub.on(
            .get, "/repos/octocat/kettle/issues/7", limited, StubResponse(json: #"{"number": 7, "title": "Leaks"}"#))
        #expect(try await tracker.issue(7).title == "Leaks")
        #expect(stub.requests.count == 2)
    }

    @Test func `All pages are loaded`() async throws {
        let link = #"<https://api.example.com/repos/octocat/kettle/issues?page=2>; rel="next""#
        stub.on(
            .get, "/repos/octocat/kettle/issues",
            StubResponse(headers: ["Link": link], json: #"[{"number": 1, "title": "Leaks"}]"#),
            StubResponse(json: #"[{"number": 2, "title": "Drips"}]"#))
        #expect(try await tracker.allIssues().map(\.number) == [1, 2])
    }

    @Test func `Requests of a queue have the same errors`() async throws {
        let queue = RequestQueue()
        queue.start()
        stub.on(.get, "/issues", StubResponse(json: #"[{"number": 1, "title": "Leaks"}]"#))
        let client = RESTClient(baseURL: try #require(URL(string: "https://api.example.com")), transport: stub)
        func issues(at path: String) async throws(TrackerError) -> [TrackedIssue] {
            do {
                return try await queue.response(of: client.request(path)).mapAll(as: TrackedIssue.self)
            } catch { throw TrackerError(error) }
        }
        #expect(try await issues(at: "/issues").map(\.number) == [1])
        stub.on(.get, "/issues", failure: TransportFailure(.connectionRefused, "no server"))
        await #expect {
            try await issues(at: "/issues")
        } throws: { error in
            if case TrackerError.offline = error { true } else { false }
        }
    }

    @Test func `A rejected change has the message of the server`() async throws {
        let body = #"{"message": "Title is too long"}"#
        stub.on(.patch, "/repos/octocat/kettle/issues/7", StubResponse(status: 422, json: body))
        let old = TrackedIssue(number: 7, title: "Leaks")
        await #expect {
            try await tracker.update(TrackedIssue(number: 7, title: "…"), from: old)
        } throws: { error in
            if case TrackerError.rejected("Title is too long") = error { true } else { false }
        }
    }

    @Test func `Without a network, the tracker is offline`() async throws {
        stub.on(.get, "/repos/*", failure: TransportFailure(.connectionRefused, "no server"))
        await #expect {
            try await tracker.allIssues()
        } throws: { error in
            if case TrackerError.offline = error { true } else { false }
        }
    }
}
