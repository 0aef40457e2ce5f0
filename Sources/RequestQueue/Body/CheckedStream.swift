/// A stream of someone else's, held to its word: to its declared length, to the buffer it was given, to one type of error.
///
/// The last byte of a declared length goes only when the stream has told its end. So a server never has a body whole
/// that is not what was declared.
package final class CheckedStream: BodyStream {
    private let base: any BodyStream
    private let length: Int64?
    private let subject: String
    private var bytesRead: Int64 = 0
    private var lastByte: UInt8?
    private var isAtEnd = false

    /// - Parameter subject: What the stream is in the text of an error, as `the body`.
    package init(_ base: any BodyStream, length: Int64?, subject: String) {
        self.base = base
        self.length = length
        self.subject = subject
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> BodyRead {
        guard !isAtEnd, !buffer.isEmpty else { return .end }
        guard let length else { return try readBase(buffer) }
        if bytesRead + 1 < length {
            let count = Int(min(Int64(buffer.count), length - 1 - bytesRead))
            return try readBase(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        }
        while true {
            var byte: UInt8 = 0
            switch try withUnsafeMutableBytes(of: &byte, readBase) {
            case .wait: return .wait
            case .bytes:
                guard bytesRead <= length else {
                    throw RequestError(.bodyChanged, "\(subject) has more than the \(length) bytes that were declared")
                }
                lastByte = byte
            case .end:
                guard let lastByte else { return .end }
                buffer[0] = lastByte
                return .bytes(1)
            }
        }
    }

    private func readBase(_ buffer: UnsafeMutableRawBufferPointer) throws(RequestError) -> BodyRead {
        let read: BodyRead
        do {
            read = try base.read(into: buffer)
        } catch let error as RequestError {
            throw error
        } catch {
            throw RequestError(.bodyUnreadable, "\(subject) cannot be read: \(error)")
        }
        switch read {
        case .bytes(let count):
            guard (1...buffer.count).contains(count) else {
                throw RequestError(
                    .bodyUnreadable, "the stream of \(subject) told of \(count) bytes in a buffer of \(buffer.count)")
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
