/// A type that can be the body of a request.
///
/// A conforming type has a content type, and provides its bytes as a stream or as data; the stream takes precedence.
public protocol RequestSerializable {
    /// The `Content-Type`, such as `application/json`.
    var contentType: String { get }

    /// The number of bytes; `nil` if it is unknown, and the body is sent in chunks.
    var contentLength: Int64? { get }

    /// Returns a stream at the start of the body; `nil` if the body is data.
    ///
    /// It is called when a request is created, and again each time the body is sent again. A stream that can be read
    /// only once throws a ``RequestError`` of kind `bodyNotRepeatable` on the second call.
    func makeBodyStream() throws -> (any BodyStream)?

    /// Returns the bytes of the body; called if there is no stream.
    func makeBodyData() throws -> Data?

    /// Returns an immutable copy of the body, which later changes do not affect.
    func snapshot() -> any RequestSerializable & Sendable
}

extension RequestSerializable {
    /// The length is unknown, unless the body is data.
    public var contentLength: Int64? { nil }

    /// Returns `nil`: the body is data.
    public func makeBodyStream() throws -> (any BodyStream)? { nil }

    /// Returns `nil`: the body is a stream.
    public func makeBodyData() throws -> Data? { nil }
}

extension RequestSerializable where Self: Sendable {
    /// Returns the value itself.
    public func snapshot() -> any RequestSerializable & Sendable { self }
}
