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
        guard isContentType(contentType) else {
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
            let first = OneShot(stream)
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
        throw RequestError(.bodyUnreadable, "the body cannot be read: \(error)", underlying: error)
    }
}
