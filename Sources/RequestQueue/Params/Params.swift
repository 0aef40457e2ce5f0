import Digests
import Synchronization

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
/// snapshot: what is changed afterwards does not reach it. The length is known, and sent as `Content-Length`, unless a
/// part is a stream of unknown length.
///
/// What could not be sent safely fails the request, before a byte is sent, with an error of kind `invalidBody`: names
/// with control characters other than line ends, or with a backslash at their end; MIME types that are none.
public final class Params: RequestSerializable, Sendable {
    private struct State {
        var attachments: [Attachment] = []
        var boundary: String
    }

    private let makeBoundary: @Sendable () -> String
    private let state: Mutex<State>

    /// An empty form.
    public convenience init() { self.init(makeBoundary: Boundary.random) }

    /// A form of the values of a dictionary, in the order of its keys.
    ///
    /// Lists and dictionaries in it become several fields, as in a ``FormValue``; nil becomes none.
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

    /// Adds a text, a number, a truth value, a date (``FormText``).
    @discardableResult
    public func set(_ value: some FormText, for name: String) -> Attachment {
        add(Attachment(name: name, content: .data(Data(value.formText.utf8))))
    }

    /// Adds bytes: a file if they have a file name, else a field.
    ///
    /// The file name is sent exactly as it is, folders included (``Attachment/fileName``); the MIME type, unless it is
    /// told, is that of the file name, and none without one (``Attachment/mimeType``).
    @discardableResult
    public func set(
        data: Data, fileName: String? = nil, mimeType: String? = nil, for name: String
    ) -> Attachment {
        add(Attachment(name: name, content: .data(data), fileName: fileName, mimeType: mimeType))
    }

    /// Adds a file, which is read while it is sent.
    ///
    /// Its file name is the last component of its path, its MIME type that of its name. It must stay as it is until it
    /// is sent: a request whose file was changed, replaced or deleted meanwhile fails with an error of kind
    /// `bodyChanged` or `bodyUnreadable`, and the server never has the body whole.
    ///
    /// - Throws: An error of kind `bodyUnreadable`, with the path, if it is not there, may not be read or is no file.
    @discardableResult
    public func set(file: URL, for name: String) throws(RequestError) -> Attachment {
        let identity = try FileIdentity(of: file)
        // A name made on another system may hold its separator.
        let fileName = file.lastPathComponent.split(separator: "\\").last.map(String.init)
        return add(Attachment(name: name, content: .file(identity), fileName: fileName))
    }

    /// Adds a stream, which is read while it is sent: with its length the form's length is known, too.
    ///
    /// Its MIME type, unless it is told, is the stream's own content type, and that of the file name if the stream has
    /// the general one.
    @discardableResult
    public func set(
        stream: StreamBody, fileName: String? = nil, mimeType: String? = nil, for name: String
    ) -> Attachment {
        let ownType = stream.contentType == MIMETypes.unknown ? nil : stream.contentType
        return add(Attachment(name: name, content: .stream(stream), fileName: fileName, mimeType: mimeType ?? ownType))
    }

    /// Adds the chunks of an asynchronous sequence, which are asked for while they are sent; the form can be sent once.
    @discardableResult
    public func set<Chunks: AsyncSequence & Sendable>(
        stream: Chunks, length: Int64? = nil, fileName: String? = nil, mimeType: String? = nil, for name: String
    ) -> Attachment where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        set(stream: StreamBody(stream, length: length), fileName: fileName, mimeType: mimeType, for: name)
    }

    /// The parts in their order.
    public var attachments: [Attachment] { state.withLock(\.attachments) }

    /// Adds a part, with a new boundary if its bytes hold the old one.
    ///
    /// The search looks once at the bytes that are in memory, at about one of forty. Files and streams are not searched:
    /// 128 random bits do not stand in them.
    private func add(_ attachment: Attachment) -> Attachment {
        state.withLock { state in
            state.attachments.append(attachment)
            guard case .data(let data) = attachment.content, Boundary.occurs(state.boundary, in: data) else { return }
            let texts = state.attachments.compactMap { attachment in
                if case .data(let data) = attachment.content { data } else { nil }
            }
            // A test's function may give the same for ever.
            var make = makeBoundary
            repeat {
                state.boundary = make()
                make = Boundary.random
            } while texts.contains { Boundary.occurs(state.boundary, in: $0) }
        }
        return attachment
    }

    // MARK: The body

    /// What separates the parts: random, and in no part that is in memory.
    public var boundary: String { state.withLock(\.boundary) }

    /// `multipart/form-data` with the boundary.
    public var contentType: String { form.contentType }

    /// The exact length of the body, known before it is sent; nil if a part is a stream of unknown length.
    public var contentLength: Int64? { form.contentLength }

    /// The form's bytes as they are now.
    public func makeBodyStream() throws -> (any BodyStream)? { try form.makeBodyStream() }

    /// The form as it is now.
    public func snapshot() -> any RequestSerializable & Sendable { form }

    /// The MD5, in hexadecimal, of the parts' MD5s written one after the other.
    ///
    /// Files are read for it.
    ///
    /// - Throws: As ``Attachment/md5()``.
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
