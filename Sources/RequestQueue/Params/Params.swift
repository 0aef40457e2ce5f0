import MappingDigests

/// A form of texts, data, files and streams, sent as `multipart/form-data` (RFC 7578) in constant memory.
///
/// ```swift
/// let params = Params()
/// params.set("Blue kettle", for: "title")
/// params.set(data: png, fileName: "kettle.png", for: "photo")
/// let film = try params.set(file: filmURL, for: "film")
/// film.mimeType = "video/mp4"
/// let upload = try await client.post("/films", params)
/// ```
///
/// Parts are sent in the order in which they were set; setting a name again adds another part. A request takes a
/// snapshot, so later changes do not affect it. The length is known and sent as `Content-Length`, unless a part is a
/// stream of unknown length.
///
/// A form that cannot be sent safely fails the request before a byte is sent, with an error of kind `invalidBody`: a
/// name with a control character other than a line break or with a trailing backslash, or an invalid MIME type.
public final class Params: RequestSerializable, Sendable {
    private struct State {
        var attachments: [Attachment] = []
        var boundary: String
    }

    private let makeBoundary: @Sendable () -> String
    private let state: Mutex<State>

    /// Creates an empty form.
    public convenience init() { self.init(makeBoundary: Boundary.random) }

    /// Creates a form from the values of a dictionary, sorted by key.
    ///
    /// Nested lists and dictionaries become several fields, as in a ``FormValue``; `nil` values are omitted.
    public convenience init(_ values: [String: any FormValueConvertible]) {
        self.init()
        for entry in FormValue(values).entries {
            if let text = entry.text { set(text, for: entry.name) }
        }
    }

    package init(makeBoundary: @escaping @Sendable () -> String) {
        self.makeBoundary = makeBoundary
        state = Mutex(State(boundary: makeBoundary()))
    }

    // MARK: Parts

    /// Adds a text, a number, a Boolean or a date (``FormText``).
    @discardableResult
    public func set(_ value: some FormText, for name: String) -> Attachment {
        add(MultipartPart(name: name, content: .data(Data(value.formText.utf8))))
    }

    /// Adds bytes as a file or, without a file name, as a field.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - fileName: The file name, sent unchanged, including folders (``Attachment/fileName``). Defaults to `nil`.
    ///   - mimeType: The MIME type. Defaults to the type for the file name (``Attachment/mimeType``).
    ///   - name: The name of the field.
    @discardableResult
    public func set(
        data: Data, fileName: String? = nil, mimeType: String? = nil, for name: String
    ) -> Attachment {
        add(MultipartPart(name: name, fileName: fileName, mimeType: mimeType, content: .data(data)))
    }

    /// Adds a file, which is read while it is sent.
    ///
    /// The file name is the last component of its path, and the MIME type is the type for that name. The file must not
    /// change until it is sent: if it is changed, replaced or deleted, the request fails with an error of kind
    /// `bodyChanged` or `bodyUnreadable`, and the server does not receive a complete body.
    ///
    /// - Throws: An error of kind `bodyUnreadable`, with the path, if the file does not exist, is not readable, or is
    ///   not a regular file.
    @discardableResult
    public func set(file: URL, for name: String) throws(RequestError) -> Attachment {
        let identity = try FileIdentity(of: file)
        // A name created on another system can contain its path separator.
        let fileName = file.lastPathComponent.split(separator: "\\").last.map(String.init)
        return add(MultipartPart(name: name, fileName: fileName, content: .file(identity)))
    }

    /// Adds a stream, which is read while it is sent.
    ///
    /// The length of the form is known if the length of each stream is known.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - fileName: The file name. Defaults to `nil`.
    ///   - mimeType: The MIME type. Defaults to the content type of the stream, or, if that is
    ///     `application/octet-stream`, to the type for the file name.
    ///   - name: The name of the field.
    @discardableResult
    public func set(
        stream: StreamBody, fileName: String? = nil, mimeType: String? = nil, for name: String
    ) -> Attachment {
        let ownType = stream.contentType == MIMETypes.unknown ? nil : stream.contentType
        return add(
            MultipartPart(name: name, fileName: fileName, mimeType: mimeType ?? ownType, content: .stream(stream)))
    }

    /// Adds the chunks of an asynchronous sequence, which are requested during the transfer.
    ///
    /// The form can be sent once.
    @discardableResult
    public func set<Chunks: AsyncSequence & Sendable>(
        stream: Chunks, length: Int64? = nil, fileName: String? = nil, mimeType: String? = nil, for name: String
    ) -> Attachment where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        set(stream: StreamBody(stream, length: length), fileName: fileName, mimeType: mimeType, for: name)
    }

    /// The parts in order.
    public var attachments: [Attachment] { state.withLock(\.attachments) }

    /// Adds a part, and replaces the boundary if it occurs in the bytes of the part.
    ///
    /// Files and streams are not searched: 128 random bits do not occur in them by chance.
    private func add(_ part: MultipartPart) -> Attachment {
        let attachment = Attachment(part)
        state.withLock { state in
            state.attachments.append(attachment)
            guard case .data(let data) = part.content, Boundary.occurs(state.boundary, in: data) else { return }
            let texts = state.attachments.compactMap { attachment in
                if case .data(let data) = attachment.part.content { data } else { nil }
            }
            // The function of a test can return the same boundary each time.
            var make = makeBoundary
            repeat {
                state.boundary = make()
                make = Boundary.random
            } while texts.contains { Boundary.occurs(state.boundary, in: $0) }
        }
        return attachment
    }

    // MARK: The body

    /// The random boundary between parts; it does not occur in parts that are in memory.
    public var boundary: String { state.withLock(\.boundary) }

    /// The content type `multipart/form-data` with the boundary.
    public var contentType: String { form.contentType }

    /// The exact length of the body; `nil` if a part is a stream of unknown length.
    public var contentLength: Int64? { form.contentLength }

    /// Returns a stream of the current form.
    public func makeBodyStream() throws -> (any BodyStream)? { try form.makeBodyStream() }

    /// Returns a snapshot of the current form.
    public func snapshot() -> any RequestSerializable & Sendable { form }

    /// Returns the MD5, in hexadecimal, of the concatenated MD5s of the parts.
    ///
    /// Files are read to calculate it.
    ///
    /// - Throws: The errors of ``Attachment/md5()``.
    public func md5() throws(RequestError) -> String {
        var digest = MD5()
        for attachment in attachments { digest.update(Array(try attachment.md5().utf8)) }
        return digest.finalizeHex()
    }

    private var form: MultipartForm {
        let state = state.withLock { $0 }
        return MultipartForm(parts: state.attachments.map(\.part), boundary: state.boundary)
    }
}
