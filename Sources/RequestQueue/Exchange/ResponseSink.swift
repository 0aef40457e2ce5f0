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
    private let resume: @Sendable () -> Void

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - framing: The framing of the response.
    ///   - limits: The limits of the response.
    ///   - resume: Called when more bytes can be received after `receive` returned `false`.
    init(
        _ file: DownloadFile, _ framing: ResponseFraming, limits: ResponseLimits,
        resume: @escaping @Sendable () -> Void
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
        return file.isReady(resume)
    }

    func finish() throws(TransportFailure) -> Data {
        try decoder?.finish()
        return Data()
    }
}

/// The presence, length and content codings of a response body, from the head of the response.
struct ResponseFraming: Equatable, Sendable {
    /// Whether the response has a body.
    var hasBody: Bool
    /// The declared length before decompression; `nil` if it is not declared.
    var length: Int64?
    /// The content codings to decode, in the order in which they were applied, in lowercase.
    var codings: [String] = []

    /// Creates the framing of a response.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - method: The method of the request.
    ///   - isDecoded: Whether the body is decompressed.
    /// - Throws: `malformedResponse` if the declared length is invalid or ambiguous.
    init(_ head: ResponseHead, method: HTTPMethod, isDecoded: Bool) throws(TransportFailure) {
        // These responses have no body, regardless of their fields (RFC 9112 §6.3).
        hasBody = method != .head && head.status >= 200 && head.status != 204 && head.status != 304
        guard hasBody else {
            length = 0
            return
        }
        if isDecoded, !head.isDecoded {
            codings = head.headers.elements(of: "Content-Encoding").filter { $0 != "identity" }
        }
        // Chunked transfer encoding overrides the length; the length does not apply to a body that the transport
        // decoded.
        guard head.headers["Transfer-Encoding"] == nil, !head.isDecoded || head.headers["Content-Encoding"] == nil
        else { return }
        if let text = head.headers["Content-Length"] { length = try Self.length(text) }
    }

    /// The one length that all fields name, as some do more than once (RFC 9110 §8.6).
    static func length(_ text: String) throws(TransportFailure) -> Int64 {
        if text.utf8.allSatisfy(isDigit), let length = Int64(text) { return length }
        let values = FieldParser.list(text)
        let first = values.first ?? ""
        guard values.allSatisfy({ $0 == first }) else {
            throw TransportFailure(.malformedResponse, "conflicting values of Content-Length")
        }
        guard first.utf8.allSatisfy(isDigit), let length = Int64(first) else {
            throw TransportFailure(.malformedResponse, "invalid Content-Length; expected a number of bytes")
        }
        return length
    }
}
