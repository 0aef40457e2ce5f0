/// What the head of a response says about its body.
struct ResponseFraming: Equatable, Sendable {
    /// Whether there is a body at all.
    var hasBody: Bool
    /// Bytes that are to come, before they are decompressed; nil if that is not declared.
    var length: Int64?
    /// The content codings to undo, in the order in which they were applied, in small letters.
    var codings: [String] = []

    /// - Parameters:
    ///   - method: The method that was asked.
    ///   - isDecoded: Whether the body is to be decompressed.
    /// - Throws: `malformedResponse` if the declared length is none, or there are several.
    init(_ head: ResponseHead, method: HTTPMethod, isDecoded: Bool) throws(TransportFailure) {
        // RFC 9112 §6.3: these have none, whatever their fields say.
        hasBody = method != .head && head.status >= 200 && head.status != 204 && head.status != 304
        guard hasBody else {
            length = 0
            return
        }
        let coding = head.headers["Content-Encoding"]
        if isDecoded, !head.isDecoded, let coding {
            codings = coding.lowercased().split(separator: ",").map(\.trimmed)
                .filter { !$0.isEmpty && $0 != "identity" }
        }
        // Chunks come before a length; what the transport decoded has another one.
        guard head.headers["Transfer-Encoding"] == nil, !head.isDecoded || coding == nil else { return }
        if let text = head.headers["Content-Length"] { length = try Self.length(text) }
    }

    /// The one length that all fields name, as some do more than once (RFC 9110 §8.6).
    static func length(_ text: String) throws(TransportFailure) -> Int64 {
        let isDigit = { (byte: UInt8) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        if text.utf8.allSatisfy(isDigit), let length = Int64(text) { return length }
        let values = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        let first = values.first ?? ""
        guard values.allSatisfy({ $0 == first }) else {
            throw TransportFailure(.malformedResponse, "the response declares two different lengths of its body")
        }
        guard first.utf8.allSatisfy(isDigit), let length = Int64(first) else {
            throw TransportFailure(.malformedResponse, "the length that the response declares is no number of bytes")
        }
        return length
    }
}

extension Substring {
    /// It without blanks and tabs around it.
    fileprivate var trimmed: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
