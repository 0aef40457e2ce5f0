import Synchronization

extension Params {
    /// One part of a form: a field with a text, or a file with its bytes.
    ///
    /// File name and MIME type may be changed until a request is made of the params; content and name may not.
    public final class Attachment: Sendable {
        private struct State {
            var fileName: String?
            var mimeType: String?
        }

        /// The name of the form's field.
        public let name: String

        let content: MultipartPart.Content
        private let state: Mutex<State>

        init(name: String, content: MultipartPart.Content, fileName: String? = nil, mimeType: String? = nil) {
            self.name = name
            self.content = content
            state = Mutex(State(fileName: fileName, mimeType: mimeType))
        }

        /// The name of the file as the server is told it; nil: the part is a field, no file.
        ///
        /// It is sent exactly as it is, but for `"` and line ends, which are percent-encoded as browsers do. An empty
        /// name, one with another control character and one that ends with a backslash fail the request.
        public var fileName: String? {
            get { state.withLock(\.fileName) }
            set { state.withLock { $0.fileName = newValue } }
        }

        /// The content's MIME type, as `image/png`.
        ///
        /// Unless it is set, it is that of the file name, and `application/octet-stream` if the name tells none; nil, and
        /// not sent, for a part without a file name.
        public var mimeType: String? {
            get {
                let state = state.withLock { $0 }
                return state.mimeType ?? state.fileName.map { MIMETypes.shared[fileName: $0] }
            }
            set { state.withLock { $0.mimeType = newValue } }
        }

        /// Bytes of the content; nil for a stream of unknown length.
        public var contentLength: Int64? { part.contentLength }

        /// The MD5 of the content in hexadecimal.
        ///
        /// A file is read for it, in constant memory.
        ///
        /// - Throws: An error of kind `bodyUnreadable` or `bodyChanged` if the file is no longer what it was, of kind
        ///   `bodyNotRepeatable` for a stream.
        public func md5() throws(RequestError) -> String { try part.md5() }

        /// What it is now.
        var part: MultipartPart {
            let state = state.withLock { $0 }
            let mimeType = state.mimeType ?? state.fileName.map { MIMETypes.shared[fileName: $0] }
            return MultipartPart(name: name, fileName: state.fileName, mimeType: mimeType, content: content)
        }
    }
}
