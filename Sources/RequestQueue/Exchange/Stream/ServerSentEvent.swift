/// A server-sent event: a message of a response that remains open (WHATWG HTML, server-sent events).
///
/// ```swift
/// let stream = try await client.stream("/notifications", headers: ["Accept": "text/event-stream"])
/// for try await event in stream.serverSentEvents { print(event.type, event.data) }
/// ```
public struct ServerSentEvent: Sendable, Hashable {
    /// The type; `message` by default.
    public var type: String
    /// The lines of data, joined by line feeds.
    public var data: String
    /// The last identifier that the server sent; empty before the first one.
    ///
    /// A new request with this identifier in its `Last-Event-ID` field continues after this event.
    public var id: String
    /// The delay before a new request that the server asks for; `nil` before the server sent one.
    public var retry: Duration?

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }
}

/// The events of a streamed body, which can be iterated once.
///
/// An incomplete event at the end of the body is discarded, as the standard requires. An event longer than
/// ``ResponseLimits/bodyInMemory`` is an error of kind `responseTooLarge`.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// The error that ended the transfer.
    public typealias Failure = RequestError

    let lines: ResponseLines

    /// Creates an iterator that starts at the first event.
    public func makeAsyncIterator() -> Iterator {
        Iterator(body: lines.body, lines: lines.makeAsyncIterator())
    }

    /// An iterator over the events.
    public struct Iterator: AsyncIteratorProtocol {
        private let body: ResponseBody
        private var lines: ResponseLines.Iterator
        private var parser = ServerSentEventParser()

        init(body: ResponseBody, lines: ResponseLines.Iterator) {
            self.body = body
            self.lines = lines
        }

        /// Returns the next event; `nil` at the end of a complete body.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(RequestError) -> ServerSentEvent? {
            while let line = try await lines.next(isolation: actor) {
                if let event = parser.read(line) { return event }
                guard parser.size <= body.limit else {
                    throw body.failed(
                        TransportFailure(
                            .responseTooLarge,
                            "an event is longer than \(body.limit) bytes; ResponseLimits.bodyInMemory is the limit"))
                }
            }
            return nil
        }
    }
}

/// Parses events line by line (WHATWG HTML, "interpreting an event stream").
struct ServerSentEventParser {
    private var type = ""
    /// The lines of data of the next event, each with a line feed.
    private var data = ""
    private var id = ""
    private var retry: Duration?
    private var isFirstLine = true

    /// The number of bytes that are collected for the next event.
    var size: Int { data.utf8.count }

    /// Parses a line; returns the event that it completes.
    mutating func read(_ line: String) -> ServerSentEvent? {
        var line = Substring(line)
        if isFirstLine, line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
        isFirstLine = false
        guard !line.isEmpty else { return takeEvent() }
        // Searches scalars, because a combining character after the colon is part of the value.
        let colon = line.unicodeScalars.firstIndex(of: ":") ?? line.endIndex
        var value = line[colon...].unicodeScalars.dropFirst()
        if value.first == " " { value.removeFirst() }
        switch line[..<colon] {
        case "event": type = String(value)
        case "data":
            data.unicodeScalars += value
            data.unicodeScalars.append("\n")
        case "id" where !value.contains("\0"): id = String(value)
        case "retry":
            // Digits only: `Int64` would also accept a sign.
            let isNumber = value.allSatisfy { ("0"..."9").contains($0) }
            if isNumber, let milliseconds = Int64(String(value)) { retry = .milliseconds(milliseconds) }
        // A comment starts with a colon; other fields are ignored.
        default: break
        }
        return nil
    }

    private mutating func takeEvent() -> ServerSentEvent? {
        defer {
            data = ""
            type = ""
        }
        guard !data.isEmpty else { return nil }
        data.unicodeScalars.removeLast()
        return ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, id: id, retry: retry)
    }
}
