/// Reads the body of a request while it is sent, and holds it to its declared length.
package struct BodyReader {
    private let body: TransportRequest.Body
    private var stream: (any BodyStream)?
    /// Bytes that were handed out since it was opened last.
    package private(set) var bytesRead: Int64 = 0
    /// The last declared bytes, while the stream does not tell yet whether it has more.
    private var held: [UInt8]?

    package init(_ body: TransportRequest.Body) {
        self.body = body
    }

    /// Whether it was opened.
    package var isOpen: Bool { stream != nil }

    /// Begins at the beginning, also again.
    package mutating func open() throws(TransportFailure) {
        (bytesRead, held) = (0, nil)
        do { stream = try body.open() } catch { throw TransportFailure(bodyError: error) }
    }

    /// As the stream's function of that name.
    package func whenReadable(_ resume: @escaping @Sendable () -> Void) { stream?.whenReadable(resume) }

    /// Hands out the next bytes; those that complete the declared length only when the stream is at its end.
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
            throw TransportFailure(.bodyChanged, "the body has \(bytesRead) bytes, not \(length) as declared")
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

    /// Whether the stream has no more than it gave; false while it does not tell.
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
            throw TransportFailure(.bodyChanged, "the body has more than the \(body.length ?? 0) bytes declared")
        }
    }

    private func pull(into buffer: inout MutableRawSpan) throws(TransportFailure) -> BodyRead {
        let read: BodyRead
        do { read = try stream?.read(into: &buffer) ?? .end } catch { throw TransportFailure(bodyError: error) }
        if case .bytes(let count) = read, !(1...buffer.byteCount).contains(count) {
            throw TransportFailure(
                .bodyUnreadable, "its stream says that it gave \(count) bytes of \(buffer.byteCount)")
        }
        return read
    }
}
