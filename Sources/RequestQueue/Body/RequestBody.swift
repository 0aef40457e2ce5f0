/// The body of a request: a snapshot of what was given, opened anew each time it is sent.
package struct RequestBody: Sendable {
    package let contentType: String
    /// Bytes, if they are known.
    package let length: Int64?
    /// Opens it at its beginning.
    package let open: @Sendable () throws -> any BodyStream

    /// Takes a snapshot, and asks it for its stream and, without one, for its data.
    ///
    /// - Throws: An error of kind `invalidBody` if there is neither, if its content type is none, or if its data has
    ///   another length than it says; what the stream throws.
    package init(_ serializable: some RequestSerializable) throws(RequestError) {
        let snapshot = serializable.snapshot()
        contentType = snapshot.contentType
        guard isContentType(contentType) else {
            throw RequestError(.invalidBody, "the content type '\(printable(contentType))' is none, as text/plain is")
        }
        let declared = snapshot.contentLength
        if let declared, declared < 0 { throw RequestError(.invalidBody, "the body says it has \(declared) bytes") }

        if let stream = try asRequestError({ try snapshot.makeBodyStream() }) {
            length = declared
            // It is the first that is sent.
            let first = OneShot(stream)
            open = {
                guard let stream = try (try? first.take()) ?? asRequestError({ try snapshot.makeBodyStream() }) else {
                    throw RequestError(.bodyNotRepeatable, "the body has a stream for the first time only")
                }
                return CheckedStream(stream, length: declared, subject: "the body")
            }
        } else if let data = try asRequestError({ try snapshot.makeBodyData() }) {
            guard declared == nil || declared == Int64(data.count) else {
                throw RequestError(
                    .invalidBody, "the body has \(data.count) bytes and says it has \(declared ?? 0)")
            }
            length = Int64(data.count)
            open = { DataStream(data) }
        } else {
            throw RequestError(.invalidBody, "the body has neither a stream nor data")
        }
    }
}

/// What a user's code gives; what it throws becomes an error of kind `bodyUnreadable`.
private func asRequestError<Value>(_ make: () throws -> Value) throws(RequestError) -> Value {
    do {
        return try make()
    } catch let error as RequestError {
        throw error
    } catch {
        throw RequestError(.bodyUnreadable, "the body cannot be read: \(error)", underlying: error)
    }
}
