/// What is sent for a request.
public struct Answer: Sendable {
    /// What becomes of the connection after the answer.
    public enum End: Sendable {
        /// It stays open, unless the client wants it closed.
        case keepAlive
        /// It is closed, and what the client still sends is read until it closes, too: the answer cannot be lost.
        case close
        /// It is closed at once; a client that is still sending may get a RST before the answer.
        case abort
        /// It is ended by a RST.
        case reset
    }

    /// The status code.
    public var status: Int
    /// Beside `Content-Length`, which the server adds, and `Content-Type`, which it adds if it is not here.
    public var headers: [Header]
    /// The bytes of the body.
    public var body: [UInt8]
    /// Whether to answer before the request's body was read.
    public var isEarly = false
    /// How the connection ends after the answer; defaults to `keepAlive`.
    public var end = End.keepAlive
    /// Sent instead of a message.
    var rawBytes: [UInt8]?

    /// Makes an answer; its `Content-Type` is application/json unless the headers say otherwise.
    public init(_ status: Int = 200, headers: [Header] = [], body: some Sequence<UInt8>) {
        self.status = status
        self.headers = headers
        self.body = Array(body)
    }

    /// Makes an answer without a body.
    public init(_ status: Int, headers: [Header] = []) {
        self.init(status, headers: headers, body: [])
    }

    init(_ status: Int = 200, headers: [Header] = [], json: JSONText) {
        self.init(status, headers: headers, body: json.bytes)
    }

    /// Bytes that are sent as they are instead of a message.
    public static func raw(_ bytes: some Sequence<UInt8>, end: End = .close) -> Answer {
        var answer = Answer(0)
        answer.rawBytes = Array(bytes)
        answer.end = end
        return answer
    }

    /// No answer at all: the connection ends.
    public static func none(_ end: End = .close) -> Answer { raw([], end: end) }

    /// Appends the message as it is sent.
    func write(to output: inout [UInt8], isHead: Bool, connection: Header?) {
        if let rawBytes {
            output += rawBytes
            return
        }
        Self.writeStatusLine(status, to: &output)
        for header in headers { Self.write(header, to: &output) }
        if Self.hasBody(status) {
            output += "Content-Length: ".utf8
            output += String(body.count).utf8
            output += "\r\n".utf8
            if headers["content-type"] == nil { output += "Content-Type: application/json\r\n".utf8 }
        }
        if let connection { Self.write(connection, to: &output) }
        output += "\r\n".utf8
        if Self.hasBody(status), !isHead { output += body }
    }

    static func writeStatusLine(_ status: Int, to output: inout [UInt8]) {
        output += "HTTP/1.1 ".utf8
        output += String(status).utf8
        output.append(UInt8(ascii: " "))
        output += reason(of: status).utf8
        output += "\r\n".utf8
    }

    static func write(_ header: Header, to output: inout [UInt8]) {
        output += header.name.utf8
        output += ": ".utf8
        output += header.value.utf8
        output += "\r\n".utf8
    }

    /// Whether an answer with this status has a body (RFC 9110 §6.4.1).
    private static func hasBody(_ status: Int) -> Bool { status >= 200 && status != 204 && status != 304 }

    private static func reason(of status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 102: "Processing"
        case 103: "Early Hints"
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 404: "Not Found"
        case 413: "Content Too Large"
        case 422: "Unprocessable Content"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
