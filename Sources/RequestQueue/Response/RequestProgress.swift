/// The progress of a request, in bytes of its body and of the response's body.
///
/// Bytes count as sent when the operating system accepts them; only a response shows that the server received them. If
/// the body is sent again, after a redirect or by a ``RetryPolicy``, all counts restart at 0.
public struct RequestProgress: Sendable, Hashable {
    /// The progress of one part of a multipart body.
    public struct Part: Sendable, Hashable {
        /// The name of the form field.
        public var name: String
        /// The bytes of its content that were sent.
        public var bytesSent: Int64
        /// The length of its content; `nil` for a stream of unknown length that has not ended.
        public var bytesExpected: Int64?

        /// Creates the progress of a part.
        public init(name: String, bytesSent: Int64, bytesExpected: Int64?) {
            self.name = name
            self.bytesSent = bytesSent
            self.bytesExpected = bytesExpected
        }
    }

    /// The bytes of the body that were sent.
    public var bytesSent: Int64
    /// The length of the body; `nil` if it is unknown, 0 without a body.
    public var bytesExpectedToSend: Int64?
    /// The bytes of the response's body that were received, before decompression.
    public var bytesReceived: Int64
    /// The length of the response's body; `nil` while it is unknown.
    public var bytesExpectedToReceive: Int64?
    /// The parts of a multipart body, in order; empty for other bodies.
    public var parts: [Part]

    /// Creates a progress.
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

extension RequestProgress {
    /// The sent fraction of the body, from 0 to 1; 1 without a body, 0 while its length is unknown.
    public var fractionSent: Double { fraction(bytesSent, of: bytesExpectedToSend) }

    /// The received fraction of the response's body, from 0 to 1; 0 while its length is unknown.
    public var fractionReceived: Double { fraction(bytesReceived, of: bytesExpectedToReceive) }

    /// The progress of the request, from 0 to 1: ``fractionSent`` with a body, otherwise ``fractionReceived``.
    public var fractionCompleted: Double { bytesExpectedToSend == 0 ? fractionReceived : fractionSent }
}

extension RequestProgress.Part {
    /// The sent fraction of the part, from 0 to 1; 0 while its length is unknown.
    public var fractionSent: Double { fraction(bytesSent, of: bytesExpected) }
}

private func fraction(_ bytes: Int64, of expected: Int64?) -> Double {
    guard let expected else { return 0 }
    return expected > 0 ? min(1, Double(bytes) / Double(expected)) : 1
}
