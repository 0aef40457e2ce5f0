/// A body that is read from a file while it is sent.
///
/// The file must stay as it is until it is sent: if it is changed, replaced or deleted, the request fails, with an error
/// of kind `bodyChanged` or `bodyUnreadable` that tells its path.
public struct FileBody: RequestSerializable, Sendable {
    /// The `Content-Type`.
    public var contentType: String
    private let file: FileIdentity

    /// A body of a file, as the file is now.
    ///
    /// Its content type, unless it is told, is that of the file's name, and `application/octet-stream` if the name tells
    /// none.
    ///
    /// - Throws: An error of kind `bodyUnreadable` if the file is not there, may not be read or is none.
    public init(_ url: URL, contentType: String? = nil) throws(RequestError) {
        file = try FileIdentity(of: url)
        self.contentType = contentType ?? MIMETypes.shared[fileName: url.lastPathComponent]
    }

    /// The file's size.
    public var contentLength: Int64? { file.size }

    /// A stream that opens the file when its first byte is asked for.
    public func makeBodyStream() throws -> (any BodyStream)? { FileStream(file) }
}
