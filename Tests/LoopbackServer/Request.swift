/// A request in progress, on the thread of its connection.
public final class Request {
    let head: RequestHead
    /// The parameters of the target.
    lazy var query = Query(head.query)

    private let reader: BodyReader
    private let connection: Connection
    private let number: Int
    /// The verbatim response for the path, if one is set.
    let rawAnswer: Answer?
    private var isSaved = true
    private var hasContinued = false
    private(set) var hasAnswered = false

    init(_ head: RequestHead, on connection: Connection) {
        self.head = head
        self.connection = connection
        reader = BodyReader(head.framing, from: connection.input)
        let isWhole = reader.isAtEnd
        (number, rawAnswer) = connection.core.update { state in
            state.statistics.requests += 1
            state.statistics.requestsByPath[head.path, default: 0] += 1
            let number = state.statistics.requests
            state.append(
                RequestRecord(
                    number: number, connection: connection.number, method: head.method, target: head.target,
                    path: head.path, headers: head.headers, framing: head.framing, isBodyWhole: isWhole))
            return (number, state.rawAnswers[head.path])
        }
        if head.framing != .none, query["hash"] == "0" { reader.isHashed = false }
    }

    /// The method, such as "GET".
    public var method: String { head.method }
    /// The target as sent, such as "/bytes?n=5".
    public var target: String { head.target }
    /// The target's path, percent-decoded.
    public var path: String { head.path }
    /// The header fields in their order.
    public var headers: [Header] { head.headers }
    /// How the end of the body is marked.
    public var framing: BodyFraming { head.framing }

    /// A parameter of the target, percent-decoded.
    public func parameter(_ name: String) -> String? { query[name] }

    /// Reads the rest of the body, which should be small, into memory.
    public func body() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try nextPiece() { bytes += piece }
        return bytes
    }

    /// Waits until the server releases the request by its path, its parameter "key" or this key; the body is read first.
    public func hold(_ key: String? = nil) throws {
        try readToEnd()
        try holdUnread(key)
    }

    /// Waits, unless the client disconnects or the server stops.
    public func pause(_ duration: Duration) throws {
        let hold = ServerState.Hold(request: Int.max, keys: [])
        try connection.core.hold(connection.number, hold, until: .now + duration)
    }

    /// Waits like ``hold(_:)`` without reading the rest of the body.
    func holdUnread(_ key: String? = nil) throws {
        saveRecord()
        let keys = [head.path, query["key"], key].compactMap { $0 }
        try connection.core.hold(connection.number, ServerState.Hold(request: number, keys: keys), until: nil)
    }

    // MARK: Body

    /// The number of bytes of the body that were read.
    var bodyLength: Int { reader.count }

    /// The SHA-256 of the body, which must be read before.
    var bodySHA256: JSONText { JSONText(reader.sha256) }

    /// Returns the next bytes of the body; nil after the last.
    func nextPiece(atMost limit: Int = 256 * 1024) throws -> UnsafeRawBufferPointer? {
        if head.expectsContinue, !hasContinued, !reader.isAtEnd {
            // After the response, it is unknown whether the client still sends the body.
            guard !hasAnswered else { throw ConnectionEnd.close }
            hasContinued = true
            try connection.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        if !reader.isAtEnd { isSaved = false }
        return try reader.next(atMost: limit)
    }

    /// Reads a number of bytes of the body, or all.
    func readBody(_ count: Int) throws {
        while bodyLength < count, try nextPiece(atMost: count - bodyLength) != nil {}
    }

    /// Reads and discards the rest of the body.
    func readToEnd() throws {
        while try nextPiece() != nil {}
        saveUnsavedRecord()
    }

    // MARK: Response

    /// Sends a response; true if the connection can continue.
    func send(_ answer: Answer) throws -> Bool {
        if !answer.isEarly { try readToEnd() }
        let closes = answer.end != .keepAlive || !head.keepsAlive
        if answer.rawBytes == nil { begin(answer.status) } else { saveRecord() }
        try connection.send(answer, isHead: isHead, option: head.connectionOption(closes: closes))
        switch answer.end {
        case .keepAlive: try readToEnd()
        case .close: if !reader.isAtEnd { connection.linger() }
        case .abort: break
        case .reset: throw ConnectionEnd.reset
        }
        return !closes
    }

    /// Sends the head of a response whose body the endpoint sends itself; it must check ``isHead`` first.
    func sendHead(_ status: Int = 200, _ headers: [Header]) throws {
        begin(status)
        var bytes: [UInt8] = []
        Answer.writeStatusLine(status, to: &bytes)
        for header in headers { Answer.write(header, to: &bytes) }
        if let option = head.connectionOption(closes: !head.keepsAlive) { Answer.write(option, to: &bytes) }
        try connection.send(bytes + "\r\n".utf8)
    }

    func send(_ bytes: [UInt8]) throws { try connection.send(bytes) }

    /// Shrinks the socket's buffer, so that a client notices soon that the server does not read.
    func shrinkReceiveBuffer() { setOption(SO_RCVBUF, 8192, of: connection.socket) }

    var isHead: Bool { head.method == "HEAD" }

    /// Accesses the state of the endpoints.
    func remember<Result>(_ body: (inout EndpointMemory) throws -> Result) rethrows -> Result {
        try connection.core.memory.withLock(body)
    }

    /// Reads the state of the server.
    func read<Result>(_ body: (ServerState) -> Result) -> Result { connection.core.state.withLock { body($0) } }

    func release(_ key: String) { connection.core.release(key) }

    /// Records the received part of the body; before the response, so that the record is complete when the client has
    /// it.
    func saveRecord(status: Int? = nil) {
        isSaved = true
        let sha256 = reader.isAtEnd && head.framing != .none ? reader.sha256 : nil
        connection.core.update { state in
            state.update(number) { record in
                record.bodyLength = reader.count
                record.isBodyWhole = reader.isAtEnd
                record.bodySHA256 = sha256
                record.trailers = reader.trailers
                if let status { record.status = status }
            }
        }
    }

    func saveUnsavedRecord() { if !isSaved { saveRecord() } }

    private func begin(_ status: Int) {
        hasAnswered = true
        saveRecord(status: status)
    }
}
