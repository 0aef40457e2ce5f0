/// The destination of a response body; used by the transport's thread only.
protocol ResponseSink: AnyObject, Sendable {
    /// Receives bytes, before decompression.
    ///
    /// - Returns: Whether more bytes can be received now.
    func receive(_ bytes: RawSpan) throws(TransportFailure) -> Bool

    /// Ends the body, after its declared length.
    ///
    /// - Returns: The body, if it is stored in memory.
    func finish() throws(TransportFailure) -> Data
}

/// A body that is collected in memory.
final class MemorySink: ResponseSink, @unchecked Sendable {  // used by the transport's thread only
    private var body: Data
    private let limit: Int64
    private let decoder: ContentDecoder?

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - framing: The framing of the response.
    ///   - limits: The limits of the response.
    /// - Throws: `responseTooLarge` if the declared length exceeds the limit.
    init(_ framing: ResponseFraming, limits: ResponseLimits) throws(TransportFailure) {
        limit = limits.bodyInMemory
        decoder = .decoder(for: framing, limits)
        let declared = framing.length ?? 0
        guard declared <= limit else {
            throw TransportFailure(.responseTooLarge, Self.message("the response declares \(declared) bytes", limit))
        }
        // Limited, because a server can declare more bytes than it sends.
        body = Data(capacity: Int(min(declared, 16 << 20)))
    }

    func receive(_ bytes: RawSpan) throws(TransportFailure) -> Bool {
        guard let decoder else {
            try append(bytes)
            return true
        }
        try decoder.decode(bytes) { piece throws(TransportFailure) in try append(piece) }
        return true
    }

    func finish() throws(TransportFailure) -> Data {
        try decoder?.finish()
        return body
    }

    private func append(_ bytes: RawSpan) throws(TransportFailure) {
        guard Int64(body.count) + Int64(bytes.byteCount) <= limit else {
            throw TransportFailure(
                .responseTooLarge, Self.message("the response has more than \(limit) bytes", limit))
        }
        body.append(bytes)
    }

    private static func message(_ what: String, _ limit: Int64) -> String {
        "\(what); ResponseLimits.bodyInMemory allows \(limit): download or stream it, or raise the limit"
    }
}

/// A body that is written to a file while it is received.
final class FileSink: ResponseSink, @unchecked Sendable {  // used by the transport's thread only
    private let file: DownloadFile
    private let decoder: ContentDecoder?
    private let resume: @Sendable (FileSink, Int) -> Void

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - framing: The framing of the response.
    ///   - limits: The limits of the response.
    ///   - resume: Called with the number of times that `receive` returned `false` when more bytes can be received.
    init(
        _ file: DownloadFile, _ framing: ResponseFraming, limits: ResponseLimits,
        resume: @escaping @Sendable (FileSink, Int) -> Void
    ) {
        self.file = file
        self.resume = resume
        decoder = .decoder(for: framing, limits)
    }

    func receive(_ bytes: RawSpan) throws(TransportFailure) -> Bool {
        if let decoder {
            try decoder.decode(bytes) { piece throws(TransportFailure) in try file.append(piece) }
        } else {
            try file.append(bytes)
        }
        return file.isReady { [weak self] refusals in if let self { resume(self, refusals) } }
    }

    func finish() throws(TransportFailure) -> Data {
        try decoder?.finish()
        return Data()
    }
}
