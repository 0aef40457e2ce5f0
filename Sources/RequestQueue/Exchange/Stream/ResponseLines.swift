/// The lines of a streamed body, without their line breaks: LF, CRLF or CR.
///
/// ```swift
/// for try await line in try await client.stream("/log").lines { print(line) }
/// ```
///
/// Bytes that are not UTF-8 become U+FFFD. A last line without a line break is included if it is not empty. A line
/// longer than ``ResponseLimits/bodyInMemory`` is an error of kind `responseTooLarge`. Like the body, the lines can be
/// iterated once.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line, which may be empty.
    public typealias Element = String
    /// The error that ended the transfer.
    public typealias Failure = RequestError

    let body: ResponseBody

    /// Creates an iterator that starts at the first line.
    public func makeAsyncIterator() -> Iterator { Iterator(body: body) }

    /// An iterator over the lines.
    public struct Iterator: AsyncIteratorProtocol {
        private let body: ResponseBody
        private var pieces: ResponseBody.Iterator
        private var splitter = LineSplitter()

        init(body: ResponseBody) {
            self.body = body
            pieces = body.makeAsyncIterator()
        }

        /// Returns the next line; `nil` at the end of a complete body.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(RequestError) -> String? {
            while true {
                if let line = splitter.next() { return String(decoding: line, as: UTF8.self) }
                guard splitter.pending.count <= body.limit else {
                    throw body.failed(
                        TransportFailure(
                            .responseTooLarge,
                            "a line is longer than \(body.limit) bytes; ResponseLimits.bodyInMemory is the limit"))
                }
                guard let piece = try await pieces.next(isolation: actor) else {
                    return splitter.takeRest().map { String(decoding: $0, as: UTF8.self) }
                }
                splitter.append(piece)
            }
        }
    }
}

/// Splits bytes that arrive in pieces into lines; each byte is searched once.
struct LineSplitter {
    /// The bytes of lines that were not returned.
    private(set) var pending = Data()
    /// The number of pending bytes without a line break.
    private var searched = 0
    /// Whether a line feed belongs to the carriage return before it.
    private var skipsLineFeed = false

    mutating func append(_ piece: Data) { pending.append(piece) }

    /// Removes and returns the next complete line.
    mutating func next() -> Data? {
        if skipsLineFeed, let first = pending.first {
            skipsLineFeed = false
            if first == UInt8(ascii: "\n") { pending = pending.dropFirst() }
        }
        let unsearched = pending.dropFirst(searched)
        guard let end = unsearched.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            searched = pending.count
            // A slice would keep the memory of earlier lines.
            if pending.startIndex > 0 { pending = Data(pending) }
            return nil
        }
        skipsLineFeed = pending[end] == UInt8(ascii: "\r")
        searched = 0
        defer { pending = pending[(end + 1)...] }
        return pending[..<end]
    }

    /// Removes and returns the last line, which has no line break; `nil` if it is empty.
    mutating func takeRest() -> Data? {
        defer { pending = Data() }
        return pending.isEmpty ? nil : pending
    }
}
