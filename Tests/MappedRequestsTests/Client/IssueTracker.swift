import MappedRequests

// JSON with the shape of its types: `Codable` is sufficient.

struct Milestone: Codable, Equatable {
    var number = 0
    var title = ""
}

struct Asset: Codable, Equatable {
    var id = 0
    var size = 0
}

/// Its JSON has other names and another shape, so it has a mapping.
struct TrackedIssue: Mappable, Equatable {
    enum State: String, JSONConvertible, Sendable { case open, closed }

    var number = 0
    var title = ""
    var state = State.open
    var author = ""

    static let mapping = Mapping(TrackedIssue.init) {
        Attribute("number", \.number).required.readOnly
        Attribute("title", \.title).required
        Attribute("state", \.state)
        Attribute("user.login", \.author).readOnly
    }
}

/// The error of all calls, by what the app does about it.
enum TrackerError: Error {
    /// The task was cancelled: show nothing.
    case cancelled
    /// Try again later.
    case offline
    /// Ask for another token.
    case signedOut
    case notFound
    /// Show the server's message to the user.
    case rejected(String)
    /// Log it and report it.
    case unexpected(MappedRequestError)

    init(_ error: MappedRequestError) {
        switch (error.requestError?.kind, error.response?.status) {
        case (.cancelled, _): self = .cancelled
        case (.offline, _), (.timedOut, _): self = .offline
        case (let kind?, _) where RetryPolicy.transientFailures.contains(kind): self = .offline
        case (.authenticationFailed, _), (_, 401): self = .signedOut
        case (_, 404), (_, 410): self = .notFound
        case (_, 400), (_, 422): self = .rejected(error.serverMessage ?? "The server rejected the change.")
        default: self = .unexpected(error)
        }
    }

    /// Errors of the calls for `Codable` types, and of forms with files.
    init(_ error: RequestError) { self.init(MappedRequestError(error)) }
}

/// The issues of a repository.
struct IssueTracker: Sendable {
    private let client: RESTClient

    /// - Parameter transport: A stub in tests. Defaults to the network.
    init(_ repository: URL, token: String, transport: (any Transport)? = nil) {
        client = RESTClient(baseURL: repository, transport: transport)
        client.headers["Accept"] = "application/vnd.github+json"
        client.authentication = .bearer(token)
        client.retryPolicy = RetryPolicy(attempts: 3, maximumDelay: .seconds(60)).deciding { head in
            // Another status than 429 for an exceeded rate limit, with a delay or the time at which it is reset.
            guard head.status == 403 else { return .standard }
            if let delay = head.retryAfter() { return .retry(after: delay) }
            guard head.headers["X-RateLimit-Remaining"] == "0",
                let reset = head.headers["X-RateLimit-Reset"].flatMap(Double.init)
            else { return .respond }
            return .retry(at: Date(timeIntervalSince1970: reset))
        }
    }

    func milestones() async throws(TrackerError) -> [Milestone] {
        do { return try await client.get("/milestones", decoding: [Milestone].self) } catch {
            throw TrackerError(error)
        }
    }

    func issue(_ number: Int) async throws(TrackerError) -> TrackedIssue {
        do { return try await client.get("/issues/\(number)", as: TrackedIssue.self) } catch {
            throw TrackerError(error)
        }
    }

    /// All pages of the list, by the links in the responses.
    func allIssues() async throws(TrackerError) -> [TrackedIssue] {
        var issues: [TrackedIssue] = []
        var next: String? = "/issues?per_page=2"
        do {
            while let page = next {
                let response = try await client.request(page).response()
                issues += try response.mapAll(as: TrackedIssue.self)
                next = response.links["next"]?.absoluteString
            }
        } catch { throw TrackerError(error) }
        return issues
    }

    /// The first page and its tag; `nil` if it has not changed since the tag (304).
    func issues(changedSince tag: String?) async throws(TrackerError) -> (issues: [TrackedIssue], tag: String?)? {
        do {
            var request = client.request("/issues")
            request.headers["If-None-Match"] = tag
            let response = try await request.response()
            if response.isNotModified { return nil }
            return (try response.mapAll(as: TrackedIssue.self), response.headers["ETag"])
        } catch { throw TrackerError(error) }
    }

    /// Sends only the properties that differ.
    func update(_ issue: TrackedIssue, from old: TrackedIssue) async throws(TrackerError) -> TrackedIssue {
        if issue == old { return issue }
        let changes = MappedBody(issue, changedFrom: old, using: TrackedIssue.mapping)
        do { return try await client.patch("/issues/\(issue.number)", changes, as: TrackedIssue.self) } catch {
            throw TrackerError(error)
        }
    }

    /// - Parameter progress: Receives the sent fraction, from 0 to 1.
    func upload(
        _ file: URL, as name: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws(TrackerError) -> Asset {
        do {
            return try await client.request(.post, "/assets", query: ["name": name], file: file)
                .onProgress { progress($0.fractionSent) }
                .send(decoding: Asset.self)
        } catch { throw TrackerError(error) }
    }
}
