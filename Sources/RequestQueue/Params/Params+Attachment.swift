extension Params {
    /// A part of a form: a text field, or a file with its bytes.
    ///
    /// File name and MIME type can be changed until a request is created from the params; content and name cannot.
    public final class Attachment: Sendable {
        private struct State {
            var fileName: String?
            var mimeType: String?
        }

        /// The name of the form field.
        public let name: String

        let content: MultipartPart.Content
        private let state: Mutex<State>

        init(name: String, content: MultipartPart.Content, fileName: String? = nil, mimeType: String? = nil) {
            self.name = name
            self.content = content
            state = Mutex(State(fileName: fileName, mimeType: mimeType))
        }

        /// The file name sent to the server; `nil` if the part is a field and not a file.
        ///
        /// It is sent unchanged, except that `"` and line breaks are percent-encoded as in browsers. The request fails
        /// if the name is empty, contains another control character, or ends with a backslash.
        public var fileName: String? {
            get { state.withLock(\.fileName) }
            set { state.withLock { $0.fileName = newValue } }
        }

        /// The MIME type of the content, such as `image/png`.
        ///
        /// Defaults to the type for the file name, or to `application/octet-stream` if its extension is unknown. It is
        /// `nil` and not sent for a part without a file name.
        public var mimeType: String? {
            get {
                let state = state.withLock { $0 }
                return state.mimeType ?? state.fileName.map { MIMETypes.shared[fileName: $0] }
            }
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
        var part: MultipartPart {
            let state = state.withLock { $0 }
            let mimeType = state.mimeType ?? state.fileName.map { MIMETypes.shared[fileName: $0] }
            return MultipartPart(name: name, fileName: state.fileName, mimeType: mimeType, content: content)
        }
    }
}
