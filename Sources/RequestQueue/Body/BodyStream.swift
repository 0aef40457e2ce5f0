/// A request body that is read in chunks while it is sent, by one thread at a time.
public protocol BodyStream: AnyObject {
    /// Copies the next bytes into the buffer, which can be as small as one byte.
    ///
    /// It must not block: it returns `.wait` if no bytes are available.
    ///
    /// - Throws: An error if the body cannot be read; the request fails with it.
    func read(into buffer: inout MutableRawSpan) throws -> BodyRead

    /// Stores a function that is called once, on any thread, when a stream that returned `.wait` can be read again.
    ///
    /// It is called when bytes are available, at the end of the stream and after a failure, immediately if that is
    /// already the case.
    func whenReadable(_ resume: @escaping @Sendable () -> Void)

    /// Returns the progress of the parts of a multipart body when a number of its bytes are sent.
    ///
    /// It can be called while another thread reads the stream.
    func parts(whenSent bytes: Int64) -> [RequestProgress.Part]
}

extension BodyStream {
    /// Calls `resume` immediately; a stream that can return `.wait` overrides this.
    public func whenReadable(_ resume: @escaping @Sendable () -> Void) { resume() }

    /// Returns no parts.
    public func parts(whenSent bytes: Int64) -> [RequestProgress.Part] { [] }
}

/// The result of reading from a body.
public enum BodyRead: Sendable, Hashable {
    /// The number of bytes that were read, at least 1.
    case bytes(Int)
    /// No bytes are available yet.
    case wait
    /// The end of the body.
    case end
}

/// Verifies another stream: its declared length and the number of bytes it returns.
///
/// The last declared byte is sent only after the stream has ended, so that a server does not receive a complete body
/// that differs from its declared length.
package final class CheckedStream: BodyStream {
    private let base: any BodyStream
    private let length: Int64?
    private let subject: String
    /// The number of bytes that were read, including one that is held back.
    private var bytesRead: Int64 = 0
    /// The last declared byte, until it is known whether the stream has ended.
    private var lastByte: UInt8?
    /// Whether the stream has ended.
    package private(set) var isAtEnd = false

    /// Creates a checked stream.
    ///
    /// - Parameters:
    ///   - base: The stream to verify.
    ///   - length: The declared length; `nil` if it is unknown.
    ///   - subject: The name of the stream in error messages, such as `the body`.
    package init(_ base: any BodyStream, length: Int64?, subject: String) {
        self.base = base
        self.length = length
        self.subject = subject
    }

    /// The number of bytes that were returned.
    package var bytesReturned: Int64 { lastByte == nil ? bytesRead : bytesRead - 1 }

    package func read(into buffer: inout MutableRawSpan) throws(TransportFailure) -> BodyRead {
        guard !isAtEnd, !buffer.isEmpty else { return .end }
        guard let length else { return try readBase(&buffer) }
        if let lastByte {
            guard try isBaseAtEnd() else { return .wait }
            self.lastByte = nil
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

    /// Returns whether the stream has ended after all declared bytes; `false` if it returns `.wait`.
    package func isBaseAtEnd() throws(TransportFailure) -> Bool {
        var byte: [UInt8] = [0]
        let read = try byte.withMutableRawSpan { bytes throws(TransportFailure) in try readBase(&bytes) }
        if case .bytes = read {
            throw TransportFailure(
                .bodyChanged, "\(subject) has more than the \(length ?? 0) bytes that were declared")
        }
        return read == .end
    }

    private func readBase(_ buffer: inout MutableRawSpan) throws(TransportFailure) -> BodyRead {
        let read: BodyRead
        do { read = try base.read(into: &buffer) } catch { throw TransportFailure(bodyError: error, of: subject) }
        switch read {
        case .bytes(let count):
            guard (1...buffer.byteCount).contains(count) else {
                throw TransportFailure(
                    .bodyUnreadable,
                    "the stream of \(subject) returned \(count) bytes for a buffer of \(buffer.byteCount)")
            }
            bytesRead += Int64(count)
        case .end:
            if let length, bytesRead < length {
                throw TransportFailure(
                    .bodyChanged,
                    "\(subject) ended unexpectedly after \(bytesRead) of the \(length) bytes that were declared")
            }
            isAtEnd = true
        case .wait: break
        }
        return read
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) { base.whenReadable(resume) }

    package func parts(whenSent bytes: Int64) -> [RequestProgress.Part] { base.parts(whenSent: bytes) }
}
