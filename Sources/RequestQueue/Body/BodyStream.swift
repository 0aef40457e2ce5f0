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
