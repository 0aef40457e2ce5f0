/// Parses the head of a response line by line, more strictly than libcurl (RFC 9112 §4 to §6).
package struct ResponseHeadReader {
    /// Whether the final head is complete.
    package private(set) var isComplete = false
    /// Whether an informational head was received, and no byte of the final one.
    package private(set) var isAfterInformationalHead = false
    /// The length of the body from `Content-Length`.
    package private(set) var length: Int64?
    /// Whether the connection must not be used again: another reader could find the end of the response elsewhere.
    package private(set) var hasTwoLengths = false
    private let limit: Int
    private var bytes = 0
    /// The status; `nil` between heads.
    private var status: Int?
    private var fields: [HTTPHeaders.Field] = []

    /// - Parameter limit: The maximum number of bytes in all heads, including informational ones, and trailers.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Reads one line of a head or a trailer, including its line break.
    ///
    /// - Returns: The final head, after its empty line. Informational heads and trailers are ignored.
    package mutating func read(_ line: RawSpan) throws(TransportFailure) -> ResponseHead? {
        bytes += line.byteCount
        guard bytes <= limit else {
            throw TransportFailure(.responseTooLarge, "the header fields have more than \(limit) bytes")
        }
        if isComplete { return nil }
        var text = [UInt8](copying: line)[...]
        if text.last == 0x0A { text.removeLast() }
        if text.last == 0x0D { text.removeLast() }
        // Some readers take a lone carriage return for a line break (RFC 9110 §5.5); libcurl itself rejects NUL.
        guard !text.contains(0x0D) else {
            throw TransportFailure(.malformedResponse, "a header field contains a carriage return")
        }
        guard status != nil else {
            status = try readStatus(text)
            fields.reserveCapacity(8)
            if let status, status >= 200 { isAfterInformationalHead = false }
            return nil
        }
        guard text.isEmpty else {
            try readField(text)
            return nil
        }
        return try endHead()
    }

    private func readStatus(_ line: ArraySlice<UInt8>) throws(TransportFailure) -> Int {
        // HTTP/1.1 200 OK
        let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].starts(with: "HTTP/".utf8),
            words[0].dropFirst(5).allSatisfy({ $0 == 0x2E || (0x30...0x39).contains($0) }), words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self)), (100...999).contains(status)
        else { throw TransportFailure(.malformedResponse, "the response does not start with a status line") }
        return status
    }

    private mutating func readField(_ line: ArraySlice<UInt8>) throws(TransportFailure) {
        guard line.first != 0x20, line.first != 0x09 else {
            // A folded line continues the previous value (RFC 9112 §5.2).
            guard !fields.isEmpty else {
                throw TransportFailure(.malformedResponse, "the first header field starts with a space or tab")
            }
            let more = text(line)
            if !more.isEmpty { fields[fields.count - 1].value += " " + more }
            return
        }
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
            line[..<colon].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw TransportFailure(.malformedResponse, "a line in the header is not a header field") }
        fields.append(HTTPHeaders.Field(name: text(line[..<colon]), value: text(line[(colon + 1)...])))
    }

    private mutating func endHead() throws(TransportFailure) -> ResponseHead? {
        defer { (status, fields) = (nil, []) }
        guard let status else { return nil }
        if status == 101 {
            throw TransportFailure(.malformedResponse, "the server switched protocols without a request")
        }
        if status < 200 {
            isAfterInformationalHead = true
            return nil
        }
        var headers = HTTPHeaders(fields: fields)
        try checkFraming(&headers)
        isComplete = true
        return ResponseHead(status: status, headers: headers)
    }

    /// Determines the length of the body, and rejects ambiguous framing.
    private mutating func checkFraming(_ headers: inout HTTPHeaders) throws(TransportFailure) {
        if let text = headers["Content-Length"] {
            let length = try ResponseFraming.length(text)
            // Several equal values count as one.
            if text.utf8.contains(UInt8(ascii: ",")) { headers["Content-Length"] = "\(length)" }
            self.length = length
        }
        guard let coding = headers["Transfer-Encoding"] else { return }
        guard coding.lowercased() == "chunked" else {
            throw TransportFailure(.malformedResponse, "the transfer coding is not supported")
        }
        // Chunks override it, and can be an attempt to smuggle a response (RFC 9112 §6.3).
        hasTwoLengths = length != nil
        headers["Content-Length"] = nil
        length = nil
    }

    /// Returns trimmed text: UTF-8, or ISO 8859-1 if the bytes are not UTF-8.
    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
