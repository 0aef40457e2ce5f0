extension Params {
    /// A part of a form: a text field, or a file with its bytes.
    ///
    /// File name and MIME type can be changed until a request is created from the params; content and name cannot.
    public final class Attachment: Sendable {
        /// The name of the form field.
        public let name: String

        private let state: Mutex<MultipartPart>

        init(_ part: MultipartPart) {
            name = part.name
            state = Mutex(part)
        }

        /// The file name sent to the server; `nil` if the part is a field and not a file.
        ///
        /// It is sent unchanged, except that `"` and line breaks are percent-encoded as in browsers. The request fails
        /// if the name is empty, contains another control character, or ends with a backslash.
        public var fileName: String? {
            get { part.fileName }
            set { state.withLock { $0.fileName = newValue } }
        }

        /// The MIME type of the content, such as `image/png`.
        ///
        /// Defaults to the type for the file name, or to `application/octet-stream` if its extension is unknown. It is
        /// `nil` and not sent for a part without a file name.
        public var mimeType: String? {
            get { part.sentType }
            set { state.withLock { $0.mimeType = newValue } }
        }

        /// The number of bytes; `nil` for a stream of unknown length.
        public var contentLength: Int64? { part.contentLength }

        /// Returns the MD5 of the content in hexadecimal.
        ///
        /// A file is read in constant memory.
        ///
        /// - Throws: An error of kind `bodyUnreadable` or `bodyChanged` if the file was changed, or of kind
        ///   `bodyNotRepeatable` for a stream.
        public func md5() throws(RequestError) -> String { try part.md5() }

        /// A snapshot of the attachment.
        var part: MultipartPart { state.withLock { $0 } }
    }
}
