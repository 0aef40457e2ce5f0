/// A body that is read from a file while it is sent.
///
/// The file must not change until it is sent: if it is changed, replaced or deleted, the request fails with an error of
/// kind `bodyChanged` or `bodyUnreadable` that contains the path.
public struct FileBody: RequestSerializable, Sendable {
    /// The `Content-Type`.
    public var contentType: String
    private let file: FileIdentity

    /// Creates a body from the current state of a file.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - contentType: The `Content-Type`. Defaults to the type for the file name, or to `application/octet-stream` if
    ///     its extension is unknown.
    /// - Throws: An error of kind `bodyUnreadable` if the file does not exist, is not readable, or is not a regular
    ///   file.
    public init(_ url: URL, contentType: String? = nil) throws(RequestError) {
        file = try FileIdentity(of: url)
        self.contentType = contentType ?? MIMETypes.shared[fileName: url.lastPathComponent]
    }

    /// The size of the file.
    public var contentLength: Int64? { file.size }

    /// Returns a stream that opens the file at the first read.
    public func makeBodyStream() throws -> (any BodyStream)? { FileStream(file) }
}

/// A body that is read from a file.
///
/// Bytes that the system has in memory are read immediately, others on a separate thread, so that a slow disk does not
/// delay other requests.
package final class FileStream: BodyStream {
    private let reader: FileReader
    private let queue = DispatchQueue(label: "RequestQueue.FileStream")
    /// The bytes that are read on the queue, which uses the reader until their end.
    private var pumped: PumpedStream?

    package init(_ file: FileIdentity) { reader = FileReader(file) }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        while true {
            if let pumped {
                let read = try pumped.read(into: &buffer)
                guard read == .end, !reader.isAtEnd else { return read }
                self.pumped = nil
            }
            let count = reader.readCached(into: &buffer)
            if count > 0 { return .bytes(count) }
            pumped = PumpedStream { [queue, reader] pipe in
                queue.async { reader.pump(into: pipe) }
                return nil
            }
        }
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) {
        if let pumped { pumped.whenReadable(resume) } else { resume() }
    }
}
