/// Why RFC 9112 does not allow a request.
struct Malformed: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Why a connection ends without a mistake of the server.
enum ConnectionEnd: Error {
    /// The peer disconnected, or the server stops.
    case over
    /// The endpoint closes the connection without the rest of the response.
    case close
    /// The endpoint resets the connection.
    case reset
}
