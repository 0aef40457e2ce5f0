/// Why a request is not what RFC 9112 allows.
struct Malformed: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Why a connection ends; none of it is a mistake of the server.
enum ConnectionEnd: Error {
    /// The peer left, or the server stops.
    case over
    /// The endpoint closes without more of an answer.
    case close
    /// The endpoint resets the connection.
    case reset
}
