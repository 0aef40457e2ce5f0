/// The request line and the header fields of a request, validated by RFC 9112.
struct RequestHead: Sendable {
    var method: String
    /// The target as sent, such as "/bytes?n=5".
    var target: String
    /// The target's path, percent-decoded.
    var path: String
    /// The target's query as sent, without "?".
    var query: String
    var headers: [Header]
    var framing: BodyFraming
    /// Whether the client waits for "100 Continue".
    var expectsContinue: Bool
    /// Whether the client keeps the connection open after the response.
    var keepsAlive: Bool
    /// HTTP/1.1, not 1.0.
    private var isVersion11: Bool

    private static let limit = 1 << 20

    /// The `Connection` field of the response, if it is not the default (RFC 9112 §9.3).
    func connectionOption(closes: Bool) -> Header? {
        closes == isVersion11 ? Header("Connection", closes ? "close" : "keep-alive") : nil
    }

    /// Reads a head; nil if the connection ends before it does.
    static func read(from input: InputBuffer) throws -> RequestHead? {
        var fields: [Header] = []
        fields.reserveCapacity(8)
        guard let line = try input.line(limit: limit) else { return nil }
        var head = try RequestHead(requestLine: line)
        var size = line.count
        while let line = try input.line(limit: limit) {
            size += line.count
            guard size <= limit else { throw Malformed("a head of more than \(limit) bytes") }
            if line.isEmpty {
                try head.take(fields)
                return head
            }
            fields.append(try Grammar.field(line))
        }
        return nil
    }

    private init(requestLine line: UnsafeRawBufferPointer) throws {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 3 else { throw Malformed("a request line that is not three words") }
        guard Grammar.isToken(words[0]) else { throw Malformed("a method that is no token") }
        guard words[1].allSatisfy({ 0x21...0x7e ~= $0 }), !words[1].isEmpty else {
            throw Malformed("a target with characters that have to be percent-encoded")
        }
        method = String(decoding: words[0], as: UTF8.self)
        target = String(decoding: words[1], as: UTF8.self)
        switch String(decoding: words[2], as: UTF8.self) {
        case "HTTP/1.1": isVersion11 = true
        case "HTTP/1.0": isVersion11 = false
        default: throw Malformed("a version that is not HTTP/1.1")
        }
        keepsAlive = isVersion11
        var rest = words[1]
        if rest.first != UInt8(ascii: "/") {
            // The absolute form, as sent to a proxy (RFC 9112 §3.2.2).
            let scheme = Array("http://".utf8)
            guard rest.starts(with: scheme) else { throw Malformed("a target that is neither a path nor an http URL") }
            rest = rest.dropFirst(scheme.count)
            rest = rest[(rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex)...]
        }
        guard !rest.contains(UInt8(ascii: "#")) else { throw Malformed("a target with a fragment") }
        let mark = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        guard let path = percentDecoded(rest[..<mark]) else { throw Malformed("a bad percent escape in the path") }
        self.path = path
        query = String(decoding: rest[mark...].dropFirst(), as: UTF8.self)
        headers = []
        framing = .none
        expectsContinue = false
    }

    private mutating func take(_ fields: [Header]) throws {
        headers = fields
        var hosts = 0
        for field in fields {
            // The length excludes nearly all names.
            switch field.name.utf8.count {
            case 4 where field.isNamed("host"): hosts += 1
            case 6 where field.isNamed("expect"): try takeExpectation(field.value)
            case 10 where field.isNamed("connection"): takeConnection(field.value)
            case 14 where field.isNamed("content-length"): try takeLength(field.value)
            case 17 where field.isNamed("transfer-encoding"): try takeEncoding(field.value)
            default: break
            }
        }
        guard hosts == 1 || hosts == 0 && !isVersion11 else { throw Malformed("\(hosts) Host fields") }
    }

    private mutating func takeExpectation(_ value: String) throws {
        guard value.lowercased() == "100-continue" else { throw Malformed("an unknown expectation") }
        expectsContinue = isVersion11
    }

    private mutating func takeConnection(_ value: String) {
        for option in value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }) {
            if option == "close" { keepsAlive = false }
            if option == "keep-alive" { keepsAlive = true }
        }
    }

    private mutating func takeLength(_ value: String) throws {
        guard framing != .chunked else { throw Malformed("both Content-Length and Transfer-Encoding") }
        guard framing == .none else { throw Malformed("two Content-Length fields") }
        guard value.utf8.allSatisfy({ 48...57 ~= $0 }), let length = Int(value) else {
            throw Malformed("a Content-Length that is no number")
        }
        framing = .contentLength(length)
    }

    private mutating func takeEncoding(_ value: String) throws {
        if case .contentLength = framing { throw Malformed("both Content-Length and Transfer-Encoding") }
        guard isVersion11 else { throw Malformed("Transfer-Encoding in HTTP/1.0") }
        guard framing == .none, value.lowercased() == "chunked" else {
            throw Malformed("a Transfer-Encoding that is not just chunked")
        }
        framing = .chunked
    }
}
