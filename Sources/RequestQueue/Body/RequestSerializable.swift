/// What can be the body of a request.
///
/// A type has a content type, and bytes as a stream or as data; the stream is asked for first.
public protocol RequestSerializable {
    /// The `Content-Type`, as `application/json`.
    var contentType: String { get }

    /// Bytes of the body, if they are known before it is sent; without them it is sent in chunks.
    var contentLength: Int64? { get }

    /// A stream at the body's beginning; nil if the body is data.
    ///
    /// It is asked for when a request is made, and again each further time it is sent; one that can be read only once
    /// throws a ``RequestError`` of kind `bodyNotRepeatable` the second time.
    func makeBodyStream() throws -> (any BodyStream)?

    /// The body's bytes; asked for if there is no stream.
    func makeBodyData() throws -> Data?

    /// What a request keeps of this body: a value that later changes do not reach.
    func snapshot() -> any RequestSerializable & Sendable
}

extension RequestSerializable {
    /// Not known, unless the body is data.
    public var contentLength: Int64? { nil }

    /// No stream: the body is data.
    public func makeBodyStream() throws -> (any BodyStream)? { nil }

    /// No data: the body is a stream.
    public func makeBodyData() throws -> Data? { nil }
}

extension RequestSerializable where Self: Sendable {
    /// The value itself.
    public func snapshot() -> any RequestSerializable & Sendable { self }
}
