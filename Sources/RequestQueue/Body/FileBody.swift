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
