/// The body of a request: a snapshot of the caller's body, which is opened each time it is sent.
package struct RequestBody: Sendable {
    package let contentType: String
    /// The number of bytes; `nil` if it is unknown.
    package let length: Int64?
    /// Opens a stream at the start of the body.
    package let open: @Sendable () throws -> any BodyStream

    /// Creates a snapshot, with its stream or, without one, with its data.
    ///
    /// - Throws: An error of kind `invalidBody` if it has neither, if its content type is invalid, or if the length of
    ///   its data differs from its declared length; an error of the stream.
    package init(_ serializable: some RequestSerializable) throws(RequestError) {
        let snapshot = serializable.snapshot()
        contentType = snapshot.contentType
        guard MediaType.isValid(contentType) else {
            throw RequestError(
                .invalidBody,
                "the content type '\(printable(contentType))' is invalid; expected a type such as text/plain")
        }
        let declared = snapshot.contentLength
        if let declared, declared < 0 {
            throw RequestError(.invalidBody, "the length \(declared) of the body is negative")
        }

        if let stream = try asRequestError({ try snapshot.makeBodyStream() }) {
            length = declared
            // The first stream is used for the first attempt.
            let first = SingleUse(stream)
            open = {
                guard let stream = try (try? first.take()) ?? asRequestError({ try snapshot.makeBodyStream() }) else {
                    throw RequestError(.bodyNotRepeatable, "makeBodyStream() returned nil when the body was sent again")
                }
                return stream
            }
        } else if let data = try asRequestError({ try snapshot.makeBodyData() }) {
            guard declared == nil || declared == Int64(data.count) else {
                throw RequestError(
                    .invalidBody, "the body has \(data.count) bytes but declares \(declared ?? 0)")
            }
            length = Int64(data.count)
            open = { DataStream(data) }
        } else {
            throw RequestError(.invalidBody, "the body is empty; set its stream or data")
        }
    }
}

/// Calls user code; converts errors to kind `bodyUnreadable`.
private func asRequestError<Value>(_ make: () throws -> Value) throws(RequestError) -> Value {
    do {
        return try make()
    } catch let error as RequestError {
        throw error
    } catch {
        throw RequestError(.bodyUnreadable, "the body cannot be read: \(causeText(of: error))", underlying: error)
    }
}

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

/// A source that can be read only once.
///
/// `@unchecked`: the lock ensures that only one caller receives the source.
package final class SingleUse<Source>: @unchecked Sendable {
    private let lock = Mutex(())
    private var source: Source?

    package init(_ source: sending Source) { self.source = source }

    /// Returns the source on the first call; throws an error of kind `bodyNotRepeatable` afterwards.
    package func take() throws(RequestError) -> Source {
        guard let source = lock.withLock({ _ in source.take() }) else {
            throw RequestError(
                .bodyNotRepeatable,
                "the stream of the body can be read only once; use a closure that creates it, or a file")
        }
        return source
    }
}
