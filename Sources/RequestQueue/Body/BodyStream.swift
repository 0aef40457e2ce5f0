/// A body that is read piece by piece while it is sent.
///
/// One thread reads it at a time.
public protocol BodyStream: AnyObject {
    /// Copies the next bytes into the buffer, no more than it has room for, which may be a single one.
    ///
    /// It must not block: without a byte to give it answers `.wait`.
    ///
    /// - Throws: What makes the body unreadable; the request fails with it.
    func read(into buffer: inout MutableRawSpan) throws -> BodyRead

    /// Keeps a function to be called, once and on any thread, when the stream that answered `.wait` has bytes again, is
    /// at its end or has failed; at once if it has already.
    func whenReadable(_ resume: @escaping @Sendable () -> Void)

    /// How far the parts of a multipart body are when so many of its bytes are sent.
    ///
    /// Another thread may call this while the stream is being read.
    func parts(whenSent bytes: Int64) -> [RequestProgress.Part]
}

extension BodyStream {
    /// Resumes at once: right for a stream that never answers `.wait`.
    public func whenReadable(_ resume: @escaping @Sendable () -> Void) { resume() }

    /// No parts.
    public func parts(whenSent bytes: Int64) -> [RequestProgress.Part] { [] }
}
