/// How far a request is, in bytes of the body that goes and of the one that comes.
///
/// Bytes count as sent when the system took them: the server may be a buffer behind, so that only the outcome tells
/// that all has arrived. A body that is sent again, after a redirect or by a ``RetryPolicy``, begins again at 0, and so
/// does the response.
public struct RequestProgress: Sendable, Hashable {
    /// One part of a multipart body.
    public struct Part: Sendable, Hashable {
        /// The name of the form's field.
        public var name: String
        /// Bytes of its content that are sent.
        public var bytesSent: Int64
        /// Bytes of its content; nil while a stream of unknown length is not at its end.
        public var bytesExpected: Int64?

        /// A part of a name.
        public init(name: String, bytesSent: Int64, bytesExpected: Int64?) {
            self.name = name
            self.bytesSent = bytesSent
            self.bytesExpected = bytesExpected
        }
    }

    /// Bytes of the body that went.
    public var bytesSent: Int64
    /// Bytes of the body that goes; nil if that is not known, 0 without a body.
    public var bytesExpectedToSend: Int64?
    /// Bytes of the body that came, as they came: before they are decompressed.
    public var bytesReceived: Int64
    /// Bytes of the body that comes; nil if that is not known (yet).
    public var bytesExpectedToReceive: Int64?
    /// The parts of a multipart body in their order; empty for other bodies.
    public var parts: [Part]

    /// A progress of so many bytes.
    public init(
        bytesSent: Int64 = 0, bytesExpectedToSend: Int64? = 0, bytesReceived: Int64 = 0,
        bytesExpectedToReceive: Int64? = nil, parts: [Part] = []
    ) {
        self.bytesSent = bytesSent
        self.bytesExpectedToSend = bytesExpectedToSend
        self.bytesReceived = bytesReceived
        self.bytesExpectedToReceive = bytesExpectedToReceive
        self.parts = parts
    }
}
