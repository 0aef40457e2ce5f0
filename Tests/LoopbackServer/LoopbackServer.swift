/// An HTTP/1.1 server for tests, by default on a free port of 127.0.0.1, whose paths respond correctly, incorrectly, or
/// not at all.
///
/// ```swift
/// let server = try LoopbackServer()
/// // … let a client send a body to server.url("/sink")
/// try await server.waitForRequests(count: 1, path: "/sink")
/// #expect(server.requests.last?.bodySHA256 == digest)
/// #expect(server.statistics.malformedRequests == 0)
/// ```
///
/// The endpoints are listed at ``Endpoints``. A request that RFC 9112 does not allow gets the status 400 and is
/// counted.
public final class LoopbackServer: Sendable {
    /// Responds to a request, or returns nil for the endpoints; called on the connection's thread.
    ///
    /// An error becomes a response with status 500.
    public typealias Handler = @Sendable (Request) throws -> Answer?

    private let core: ServerCore
    private let address: String

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - address: The IPv4 address of this machine on which it listens.
    ///   - lifetime: The time after which the server stops by itself.
    ///   - recordLimit: The number of ``requests`` that are kept.
    ///   - handler: A function that is called before the endpoints.
    public init(
        address: String = "127.0.0.1", lifetime: Duration = .seconds(600), recordLimit: Int = 4096,
        handler: Handler? = nil
    ) throws {
        self.address = address
        core = try ServerCore(address: address, lifetime: lifetime, recordLimit: recordLimit, handler: handler)
        try core.start()
    }

    deinit { stop() }

    /// The port on which the server listens.
    public var port: Int { Int(core.port) }

    /// The server's URL with a target, such as `url("/bytes?n=5")`, which must be percent-encoded.
    public func url(_ target: String) -> URL {
        URL(string: "http://\(address):\(port)\(target)") ?? URL(fileURLWithPath: target)
    }

    /// The URL without a path, such as "http://127.0.0.1:40001".
    public var url: URL { url("") }

    /// The counts since the server was started.
    public var statistics: Statistics { core.state.withLock { $0.statistics } }

    /// The last requests in the order of their arrival, including unanswered ones.
    public var requests: [RequestRecord] {
        core.state.withLock { state in
            let recent = state.records.suffix(state.recordLimit)
            return Array(recent)
        }
    }

    /// Waits until a number of requests have arrived since the start, at least with their heads.
    ///
    /// - Parameter path: The percent-decoded path of the requests that count.
    public func waitForRequests(count: Int, path: String? = nil, timeout: Duration = .seconds(300)) async throws {
        try await wait(timeout: timeout) { statistics, _ in
            (path.map { statistics.requestsByPath[$0] ?? 0 } ?? statistics.requests) >= count
        }
    }

    /// Waits until a condition is true; it is called now and after each change.
    ///
    /// - Parameter condition: A function that receives the state; calling the server in it would deadlock.
    /// - Throws: ``LoopbackServerError``.
    public func wait(
        timeout: Duration = .seconds(300), until condition: @escaping @Sendable (Statistics, [RequestRecord]) -> Bool
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            core.add(
                ServerState.Waiter(condition: condition, continuation: continuation, deadline: .now + timeout))
        }
    }

    /// Releases requests that have arrived until now and are held or stalled.
    ///
    /// - Parameter key: The `key` of their target or their path; nil for all.
    public func release(_ key: String? = nil) { core.release(key ?? "") }

    /// Sends these bytes instead of an HTTP message for all further requests of a path; closes the connection
    /// afterwards.
    public func answerRaw(_ path: String, _ bytes: some Sequence<UInt8>) {
        let answer = Answer.raw(bytes)
        core.state.withLock { $0.rawAnswers[path] = answer }
    }

    /// Ends all connections and waits for their threads; waits at most 5 s for a handler that does not return.
    public func stop() {
        core.shutDownAll()
        core.waitForThreads(atMost: .seconds(5))
    }
}

/// Why waiting for requests ended early.
public enum LoopbackServerError: Error {
    /// The timeout was reached.
    case timeout
    /// The server was stopped, or its lifetime was over.
    case stopped
}
