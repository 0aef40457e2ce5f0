extension RequestBody {
    /// Takes a snapshot of a body; nothing of it is read before it is sent.
    package init(_ body: some RequestSerializable) {
        let body = body.snapshot()
        self.init(contentType: body.contentType, length: body.contentLength) {
            if let stream = try body.makeBodyStream() { return stream }
            guard let data = try body.makeBodyData() else {
                throw RequestError(.invalidBody, "\(type(of: body)) gives neither a stream nor data")
            }
            return DataStream(data)
        }
    }
}

/// Bytes in memory, as a stream.
private final class DataStream: BodyStream {
    private var rest: Data

    init(_ data: Data) { rest = data }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        let count = rest.copyBytes(to: buffer)
        rest = rest.dropFirst(count)
        return count > 0 ? .bytes(count) : .end
    }
}
