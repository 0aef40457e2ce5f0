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
