/// Reads the body of a request while it is sent, and verifies its declared length.
package struct BodyReader {
    private let body: TransportRequest.Body
    private var stream: (any BodyStream)?
    /// The number of bytes that were read since the last `open()`.
    package private(set) var bytesRead: Int64 = 0
    /// The last declared bytes, held back until the stream reports its end.
    private var held: [UInt8]?

    package init(_ body: TransportRequest.Body) {
        self.body = body
    }

    /// Whether the body is open.
    package var isOpen: Bool { stream != nil }

    /// Starts at the beginning; can be called repeatedly.
    package mutating func open() throws(TransportFailure) {
        (bytesRead, held) = (0, nil)
        do { stream = try body.open() } catch { throw TransportFailure(bodyError: error) }
    }

    /// Forwards to the stream.
    package func whenReadable(_ resume: @escaping @Sendable () -> Void) { stream?.whenReadable(resume) }

    /// Reads the next bytes; the last declared bytes are returned only when the stream is at its end.
    package mutating func read(into buffer: inout MutableRawSpan) throws(TransportFailure) -> BodyRead {
        guard let length = body.length else {
            let read = try pull(into: &buffer)
            if case .bytes(let count) = read { bytesRead += Int64(count) }
            return read
        }
        let left = length - bytesRead
        if left == 0 {
            if length > 0 { return .end }
            return try isAtEnd() ? .end : .wait
        }
        if let held {
            guard try isAtEnd() else { return .wait }
            let count = min(held.count, buffer.byteCount)
            held.withRawSpan { buffer.copy($0.extracting(first: count)) }
            self.held = Array(held.dropFirst(count))
            bytesRead += Int64(count)
            return .bytes(count)
        }
        var piece = buffer._mutatingExtracting(first: Int(min(left, Int64(buffer.byteCount))))
        let read = try pull(into: &piece)
        switch read {
        case .end:
            throw TransportFailure(.bodyChanged, "the body has \(bytesRead) bytes; \(length) were declared")
        case .bytes(let count) where Int64(count) == left:
            guard try isAtEnd() else {
                held = Array(copying: piece.bytes.extracting(first: count))
                return .wait
            }
            bytesRead += left
            return read
        case .bytes(let count):
            bytesRead += Int64(count)
            return read
        case .wait: return .wait
        }
    }

    /// Whether the stream is at its end; `false` while it is unknown.
    package func isAtEnd() throws(TransportFailure) -> Bool {
        var byte: [UInt8] = [0]
        let read: BodyRead
        do { read = try byte.withMutableRawSpan { try stream?.read(into: &$0) ?? .end } } catch {
            throw TransportFailure(bodyError: error)
        }
        switch read {
        case .end: return true
        case .wait: return false
        case .bytes:
            throw TransportFailure(.bodyChanged, "the body exceeds its declared length of \(body.length ?? 0) bytes")
        }
    }

    private func pull(into buffer: inout MutableRawSpan) throws(TransportFailure) -> BodyRead {
        let read: BodyRead
        do { read = try stream?.read(into: &buffer) ?? .end } catch { throw TransportFailure(bodyError: error) }
        if case .bytes(let count) = read, !(1...buffer.byteCount).contains(count) {
            throw TransportFailure(
                .bodyUnreadable, "the body stream returned \(count) bytes for a buffer of \(buffer.byteCount) bytes")
        }
        return read
    }
}
