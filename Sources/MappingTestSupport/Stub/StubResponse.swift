public import RequestQueue

/// A response or failure of a ``StubTransport``, which can be delayed by a gate and split into pieces.
///
/// ```swift
/// StubResponse(status: 404)
/// StubResponse(json: #"{ "id": 7 }"#).inChunks(of: 4)
/// StubResponse(text: "a long story").failing(with: TransportFailure(.connectionLost, "reset"), afterBytes: 6)
/// ```
public struct StubResponse: Sendable {
    /// The status and header fields; `nil` if the request fails without a response.
    var head: ResponseHead?
    var body: Data
    var chunkSize = Int.max
    var gate: StubGate?
    /// The number of bytes before the gate; `nil` if the gate is before the head.
    var bytesBeforeGate: Int?
    var failure: TransportFailure?
    var bytesBeforeFailure = Int.max

    /// Creates a response with bytes as its body.
    ///
    /// `Content-Length` is added, unless the fields contain it or `Transfer-Encoding`.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
        head = ResponseHead(status: status, headers: headers)
        self.body = body
        let hasNoBody = status < 200 || status == 204 || status == 304
        if !hasNoBody && headers["Content-Length"] == nil && headers["Transfer-Encoding"] == nil {
            head?.headers["Content-Length"] = "\(body.count)"
        }
    }

    /// Creates a response with JSON text; the content type defaults to `application/json`.
    public init(status: Int = 200, headers: HTTPHeaders = [:], json: String) {
        self.init(status: status, headers: headers, text: json, contentType: "application/json")
    }

    /// Creates a response with text; the content type defaults to `text/plain; charset=utf-8`.
    public init(status: Int = 200, headers: HTTPHeaders = [:], text: String) {
        self.init(status: status, headers: headers, text: text, contentType: "text/plain; charset=utf-8")
    }

    /// Creates a failure after the request was sent, without a response.
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

    /// Returns a copy whose body is delivered in pieces of a number of bytes.
    public func inChunks(of size: Int) -> StubResponse {
        var copy = self
        copy.chunkSize = max(1, size)
        return copy
    }

    /// Returns a copy that waits at a gate, before its head or after a number of bytes of the body.
    public func held(by gate: StubGate, afterBytes: Int? = nil) -> StubResponse {
        var copy = self
        copy.gate = gate
        copy.bytesBeforeGate = afterBytes
        return copy
    }

    /// Returns a copy that fails after a number of bytes of the body, or at its end if it is shorter.
    public func failing(with failure: TransportFailure, afterBytes: Int) -> StubResponse {
        var copy = self
        copy.failure = failure
        copy.bytesBeforeFailure = max(0, afterBytes)
        return copy
    }
}
