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
