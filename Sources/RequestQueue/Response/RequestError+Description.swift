extension RequestError: CustomStringConvertible, LocalizedError {
    /// The request, the kind of the failure, its phase and its cause, in one line.
    ///
    /// For example `POST http://h/films: the connection was lost while sending (262,144 bytes sent, 0 received): …`. The URL
    /// is shown without user name, password and query, so that logs contain no personal data.
    public var description: String {
        let place = [method?.rawValue, url?.shown].compactMap { $0 }.joined(separator: " ")
        var text = place.isEmpty ? kind.sentence : "\(place): \(kind.sentence)"
        if phase != .preparing {
            text += " while \(phase)"
            if phase != .connecting {
                text += " (\(grouped(bytesSent)) bytes sent, \(grouped(bytesReceived)) received)"
            }
        }
        if attempts > 1 { text += " in attempt \(attempts)" }
        return cause.isEmpty ? text : "\(text): \(cause)"
    }

    /// The description.
    public var errorDescription: String? { description }
}

extension RequestError {
    /// The first 200 bytes of the response that was not accepted, as text; empty without a response.
    public var bodyPrefix: String { response?.bodyPrefix ?? "" }

    /// The description and, in further lines, the underlying error and the first 200 bytes of the response, which may
    /// contain private data: do not log it.
    public var details: String {
        let underlying = underlying.map { ["\($0)"] } ?? []
        return ([description] + underlying + (response == nil ? [] : [bodyPrefix])).joined(separator: "\n")
    }
}

extension RequestError.Kind {
    fileprivate var sentence: String {
        switch self {
        case .invalidURL: "the URL is invalid"
        case .invalidMethod: "the method is invalid"
        case .invalidHeader: "a header field is invalid"
        case .invalidBody: "the body is invalid"
        case .bodyUnreadable: "the body cannot be read"
        case .bodyChanged: "the length of the body changed"
        case .bodyNotRepeatable: "the body cannot be sent again"
        case .bodyNotSent: "the server answered before the body was sent completely"
        case .offline: "offline"
        case .hostNotFound: "the host was not found"
        case .connectionRefused: "the connection was refused"
        case .connectionFailed: "no connection"
        case .secureConnectionFailed: "TLS failed"
        case .tlsVersionUnsupported: "no common TLS version"
        case .serverCertificateHasBadDate: "the server's certificate has expired or is not valid yet"
        case .serverCertificateSelfSigned: "the server's certificate is self-signed"
        case .serverCertificateUntrusted: "the server's certificate is not trusted"
        case .serverCertificateForOtherHost: "certificate hostname mismatch"
        case .serverPublicKeyNotPinned: "public key pin mismatch"
        case .clientCertificateRejected: "the server rejected the client certificate"
        case .invalidTLSOptions: "the TLS options are invalid"
        case .unsupportedTLSOptions: "the transport does not support the TLS options"
        case .connectionLost: "the connection was lost"
        case .connectTimedOut: "connect timeout"
        case .idleTimedOut: "idle timeout"
        case .timedOut: "total timeout"
        case .backgroundTimedOut: "background time expired"
        case .truncatedResponse: "the response is truncated"
        case .malformedResponse: "the response is not valid HTTP"
        case .undecodableResponse: "the response cannot be decompressed"
        case .responseTooLarge: "the response is too large"
        case .tooManyRedirects: "too many redirects"
        case .unsafeRedirect: "the redirect is not safe"
        case .authenticationFailed: "no credentials are available"
        case .adaptationFailed: "an adapter failed"
        case .proxyFailed: "the proxy failed"
        case .unacceptableResponse: "unexpected status or content type"
        case .fileNotWritable: "the file cannot be written"
        case .notCached: "no usable response in the cache"
        case .clientShutDown: "the client was shut down"
        case .cancelled: "the request was cancelled"
        }
    }
}

/// A number with a comma between thousands.
private func grouped(_ number: Int64) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
        if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
        text.append(digit)
    }
    return String(text.reversed())
}
