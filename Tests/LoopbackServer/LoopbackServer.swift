/// An HTTP/1.1 server for tests, on a free port of 127.0.0.1 unless told, that answers well, badly, or not at all as the target says.
///
/// ```swift
/// let server = try LoopbackServer()
/// // … let a client send a body to server.url("/sink")
/// try await server.waitForRequests(count: 1, path: "/sink")
/// #expect(server.requests.last?.bodySHA256 == digest)
/// #expect(server.statistics.malformedRequests == 0)
/// ```
///
/// The endpoints are listed at ``Endpoints``. A request that RFC 9112 does not allow is answered with 400 and counted.
public final class LoopbackServer: Sendable {
    /// Answers a request itself, or leaves it to the endpoints by returning nil; called on the connection's thread.
    ///
    /// What it throws becomes an answer with status 500.
    public typealias Handler = @Sendable (Request) throws -> Answer?

    private let core: ServerCore
    private let address: String

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - address: the IPv4 address of this machine on which it listens.
    ///   - lifetime: after it the server stops by itself.
    ///   - recordLimit: how many ``requests`` are kept.
    ///   - handler: asked before the endpoints.
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

    /// The server's URL with a target, as `url("/bytes?n=5")`; percent-encoded already.
    public func url(_ target: String) -> URL {
        URL(string: "http://\(address):\(port)\(target)") ?? URL(fileURLWithPath: target)
    }

    /// The URL without a path, as "http://127.0.0.1:40001".
    public var url: URL { url("") }

    /// The counts since the server was started.
    public var statistics: Statistics { core.state.withLock { $0.statistics } }

    /// The last requests in the order of their arrival, also those not yet answered.
    public var requests: [RequestRecord] {
        core.state.withLock { state in
            let recent = state.records.suffix(state.recordLimit)
            return Array(recent)
        }
    }

    /// Waits until some requests have arrived since the start, with their heads at least.
    ///
    /// - Parameter path: only those of a path, percent-decoded, count.
    public func waitForRequests(count: Int, path: String? = nil, timeout: Duration = .seconds(300)) async throws {
        try await wait(timeout: timeout) { statistics, _ in
            (path.map { statistics.requestsByPath[$0] ?? 0 } ?? statistics.requests) >= count
        }
    }

    /// Waits until a condition holds; it is asked now and after each change.
    ///
    /// - Parameter condition: gets what it needs; asking the server itself in it would wait for ever.
    /// - Throws: ``LoopbackServerError``.
    public func wait(
        timeout: Duration = .seconds(300), until condition: @escaping @Sendable (Statistics, [RequestRecord]) -> Bool
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            core.add(
                ServerState.Waiter(condition: condition, continuation: continuation, deadline: .now + timeout))
        }
    }

    /// Lets requests go on that arrived until now and are held or stalled.
    ///
    /// - Parameter key: the `key` of their target or their path; nil for all.
    public func release(_ key: String? = nil) { core.release(key ?? "") }

    /// Answers all further requests for a path with these bytes instead of an HTTP message; closes afterwards.
    public func answerRaw(_ path: String, _ bytes: some Sequence<UInt8>) {
        let answer = Answer.raw(bytes)
        core.state.withLock { $0.rawAnswers[path] = answer }
    }

    /// Ends all connections and waits for their threads; a handler that does not return is waited for 5 s.
    public func stop() {
        core.shutDownAll()
        core.waitForThreads(atMost: .seconds(5))
    }
}

/// Why waiting for requests ended early.
public enum LoopbackServerError: Error {
    /// The time was over.
    case timeout
    /// The server was stopped, or its life was over.
    case stopped
}
