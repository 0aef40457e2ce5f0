/// A stream of someone else's, held to its word: to its declared length, to the buffer it was given, to one type of error.
///
/// The last byte of a declared length goes only when the stream has told its end, mostly at once: it waits alone for a
/// stream that does not tell. So a server never has a body whole that is not what was declared.
package final class CheckedStream: BodyStream {
    private let base: any BodyStream
    private let length: Int64?
    private let subject: String
    private var bytesRead: Int64 = 0
    /// The last declared byte, while the stream does not tell whether there are more.
    private var lastByte: UInt8?
    private var isAtEnd = false

    /// - Parameter subject: What the stream is in the text of an error, as `the body`.
    package init(_ base: any BodyStream, length: Int64?, subject: String) {
        self.base = base
        self.length = length
        self.subject = subject
    }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        guard !isAtEnd, !buffer.isEmpty else { return .end }
        guard let length else { return try readBase(&buffer) }
        if let lastByte {
            guard try isBaseAtEnd() else { return .wait }
            buffer.storeBytes(of: lastByte, as: UInt8.self)
            return .bytes(1)
        }
        guard bytesRead < length else { return try isBaseAtEnd() ? .end : .wait }
        let count = Int(min(Int64(buffer.byteCount), length - bytesRead))
        var piece = buffer._mutatingExtracting(first: count)
        let read = try readBase(&piece)
        guard case .bytes(let count) = read, bytesRead == length, try !isBaseAtEnd() else { return read }
        lastByte = buffer.bytes.byte(at: count - 1)
        return count > 1 ? .bytes(count - 1) : .wait
    }

    /// Whether the stream, all of whose declared bytes are read, is at its end; false while it does not tell.
    private func isBaseAtEnd() throws(RequestError) -> Bool {
        var byte: [UInt8] = [0]
        let read = try byte.withMutableRawSpan { bytes throws(RequestError) in try readBase(&bytes) }
        if case .bytes = read {
            throw RequestError(
                .bodyChanged, "\(subject) has more than the \(length ?? 0) bytes that were declared")
        }
        return read == .end
    }

    private func readBase(_ buffer: inout MutableRawSpan) throws(RequestError) -> BodyRead {
        let read: BodyRead
        do {
            read = try base.read(into: &buffer)
        } catch let error as RequestError {
            throw error
        } catch {
            throw RequestError(.bodyUnreadable, "\(subject) cannot be read: \(error)")
        }
        switch read {
        case .bytes(let count):
            guard (1...buffer.byteCount).contains(count) else {
                throw RequestError(
                    .bodyUnreadable,
                    "the stream of \(subject) told of \(count) bytes in a buffer of \(buffer.byteCount)")
            }
            bytesRead += Int64(count)
        case .end:
            if let length, bytesRead < length {
                throw RequestError(
                    .bodyChanged, "\(subject) ended after \(bytesRead) of the \(length) bytes that were declared")
            }
            isAtEnd = true
        case .wait: break
        }
        return read
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) { base.whenReadable(resume) }

    package func parts(whenSent bytes: Int64) -> [RequestProgress.Part] { base.parts(whenSent: bytes) }
}
