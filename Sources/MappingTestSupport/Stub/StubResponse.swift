public import RequestQueue

/// What a ``StubTransport`` answers: a response, or a failure, at once or when a gate opens, in one piece or in many.
///
/// ```swift
/// StubResponse(status: 404)
/// StubResponse(json: #"{ "id": 7 }"#).inChunks(of: 4)
/// StubResponse(text: "a long story").failing(with: TransportFailure(.connectionLost, "reset"), afterBytes: 6)
/// ```
public struct StubResponse: Sendable {
    /// Status and header fields; nil: the request fails without a response.
    var head: ResponseHead?
    var body: Data
    var chunkSize = Int.max
    var gate: StubGate?
    /// Bytes of the body after which the gate stands; nil: it stands before the head.
    var bytesBeforeGate: Int?
    var failure: TransportFailure?
    var bytesBeforeFailure = Int.max

    /// A response with a body of bytes.
    ///
    /// `Content-Length` is added, unless the fields have it or a `Transfer-Encoding`.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
        head = ResponseHead(status: status, headers: headers)
        self.body = body
        let hasNoBody = status < 200 || status == 204 || status == 304
        if !hasNoBody && headers["Content-Length"] == nil && headers["Transfer-Encoding"] == nil {
            head?.headers["Content-Length"] = "\(body.count)"
        }
    }

    /// A response with a JSON text, as `application/json` unless the fields say otherwise.
    public init(status: Int = 200, headers: HTTPHeaders = [:], json: String) {
        self.init(status: status, headers: headers, text: json, contentType: "application/json")
    }

    /// A response with a text, as `text/plain; charset=utf-8` unless the fields say otherwise.
    public init(status: Int = 200, headers: HTTPHeaders = [:], text: String) {
        self.init(status: status, headers: headers, text: text, contentType: "text/plain; charset=utf-8")
    }

    /// No response: the connection is there, takes the request, and fails.
    public init(failure: TransportFailure) {
        head = nil
        body = Data()
        self.failure = failure
        bytesBeforeFailure = 0
    }

    private init(status: Int, headers: HTTPHeaders, text: String, contentType: String) {
        var headers = headers
        if headers["Content-Type"] == nil { headers["Content-Type"] = contentType }
        self.init(status: status, headers: headers, body: Data(text.utf8))
    }

    /// The same, with its body handed over in pieces of so many bytes.
    public func inChunks(of size: Int) -> StubResponse {
        var copy = self
        copy.chunkSize = max(1, size)
        return copy
    }

    /// The same, which waits at a gate: before its head, or after so many bytes of the body.
    public func held(by gate: StubGate, afterBytes: Int? = nil) -> StubResponse {
        var copy = self
        copy.gate = gate
        copy.bytesBeforeGate = afterBytes
        return copy
    }

    /// The same, which fails after so many bytes of the body; after all of them if it has less.
    public func failing(with failure: TransportFailure, afterBytes: Int) -> StubResponse {
        var copy = self
        copy.failure = failure
        copy.bytesBeforeFailure = max(0, afterBytes)
        return copy
    }
}
