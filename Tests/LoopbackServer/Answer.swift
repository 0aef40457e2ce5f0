/// A response.
public struct Answer: Sendable {
    /// What happens to the connection after the response.
    public enum End: Sendable {
        /// The connection stays open, unless the client closes it.
        case keepAlive
        /// The connection is closed after the client has closed it, too, so that the response is not lost.
        case close
        /// The connection is closed immediately; a client that is still sending can get a RST before the response.
        case abort
        /// The connection is reset by a RST.
        case reset
    }

    /// The status code.
    public var status: Int
    /// The header fields in addition to `Content-Length`, and to `Content-Type` if it is missing here.
    public var headers: [Header]
    /// The bytes of the body.
    public var body: [UInt8]
    /// Whether to respond before the request's body is read.
    public var isEarly = false
    /// How the connection ends after the response.
    ///
    /// Defaults to `keepAlive`.
    public var end = End.keepAlive
    /// Bytes that are sent instead of a message.
    var rawBytes: [UInt8]?

    /// Creates a response; its `Content-Type` is application/json unless the headers contain another one.
    public init(_ status: Int = 200, headers: [Header] = [], body: some Sequence<UInt8>) {
        self.status = status
        self.headers = headers
        self.body = Array(body)
    }

    /// Creates a response without a body.
    public init(_ status: Int, headers: [Header] = []) {
        self.init(status, headers: headers, body: [])
    }

    init(_ status: Int = 200, headers: [Header] = [], json: JSONText) {
        self.init(status, headers: headers, body: json.bytes)
    }

    /// A response of verbatim bytes instead of a message.
    public static func raw(_ bytes: some Sequence<UInt8>, end: End = .close) -> Answer {
        var answer = Answer(0)
        answer.rawBytes = Array(bytes)
        answer.end = end
        return answer
    }

    /// No response: the connection ends.
    public static func none(_ end: End = .close) -> Answer { raw([], end: end) }

    /// Appends the message.
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

    /// Whether a response with this status has a body (RFC 9110 §6.4.1).
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
