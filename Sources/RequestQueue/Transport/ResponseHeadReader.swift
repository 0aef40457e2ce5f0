/// Reads the head of a response line by line, more strictly than libcurl (RFC 9112 §4 to §6).
package struct ResponseHeadReader {
    /// Whether the final head came.
    package private(set) var isWhole = false
    /// Whether an informational head came, and nothing of the final one.
    package private(set) var isBehindInformation = false
    /// Bytes of the body, if `Content-Length` frames it.
    package private(set) var length: Int64?
    private let limit: Int
    private var bytes = 0
    /// nil between heads.
    private var status: Int?
    private var fields: [HTTPHeaders.Field] = []

    /// - Parameter limit: bytes of all heads, informational ones included, and of trailers.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes one line with its end, of a head or a trailer.
    ///
    /// - Returns: The final head, at the empty line behind it. Informational heads and trailers are passed over.
    package mutating func read(_ line: RawSpan) throws(TransportFailure) -> ResponseHead? {
        bytes += line.byteCount
        guard bytes <= limit else {
            throw TransportFailure(.responseTooLarge, "the header fields have more than \(limit) bytes")
        }
        if isWhole { return nil }
        var text = [UInt8](copying: line)[...]
        if text.last == 0x0A { text.removeLast() }
        if text.last == 0x0D { text.removeLast() }
        // Alone it ends a line for some who read the value later (RFC 9110 §5.5); libcurl refuses NUL itself.
        guard !text.contains(0x0D) else {
            throw TransportFailure(.malformedResponse, "a line of the header has a carriage return within it")
        }
        guard status != nil else {
            status = try readStatus(text)
            if let status, status >= 200 { isBehindInformation = false }
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
        else { throw TransportFailure(.malformedResponse, "the answer does not begin with a status line") }
        return status
    }

    private mutating func readField(_ line: ArraySlice<UInt8>) throws(TransportFailure) {
        guard line.first != 0x20, line.first != 0x09 else {
            // A folded line goes on with the value before it (RFC 9112 §5.2).
            guard !fields.isEmpty else {
                throw TransportFailure(.malformedResponse, "the first header field begins with a blank")
            }
            let more = text(line)
            if !more.isEmpty { fields[fields.count - 1].value += " " + more }
            return
        }
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
            line[..<colon].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw TransportFailure(.malformedResponse, "a line among the header fields is none") }
        fields.append(HTTPHeaders.Field(name: text(line[..<colon]), value: text(line[(colon + 1)...])))
    }

    private mutating func endHead() throws(TransportFailure) -> ResponseHead? {
        defer { (status, fields) = (nil, []) }
        guard let status else { return nil }
        if status == 101 {
            throw TransportFailure(.malformedResponse, "the server changes to another protocol without being asked")
        }
        if status < 200 {
            isBehindInformation = true
            return nil
        }
        var headers = HTTPHeaders(fields: fields)
        try checkFraming(&headers)
        isWhole = true
        return ResponseHead(status: status, headers: headers)
    }

    /// Reads the length of the body, and leaves no two ways to read it.
    private mutating func checkFraming(_ headers: inout HTTPHeaders) throws(TransportFailure) {
        if let text = headers["Content-Length"] {
            let length = try ResponseFraming.length(text)
            // Several fields that agree are one.
            if text.utf8.contains(UInt8(ascii: ",")) { headers["Content-Length"] = "\(length)" }
            self.length = length
        }
        guard let coding = headers["Transfer-Encoding"] else { return }
        guard coding.lowercased() == "chunked" else {
            throw TransportFailure(.malformedResponse, "the transfer coding is none that was asked for")
        }
        // Chunks override it (RFC 9112 §6.3).
        headers["Content-Length"] = nil
        length = nil
    }

    /// The text of bytes without blanks around it: UTF-8, or else ISO 8859-1, which any bytes are.
    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
