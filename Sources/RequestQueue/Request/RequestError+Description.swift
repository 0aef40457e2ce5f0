extension RequestError: CustomStringConvertible, LocalizedError {
    /// What was asked, what happened, how far it was and why, in a line, as
    /// `POST http://h/films: the connection was lost while sending (262,144 bytes sent, 0 received): …`.
    ///
    /// The URL is without user name, password and query: logs stay free of what users entered, also where a `Result` is
    /// printed.
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

extension RequestError.Kind {
    fileprivate var sentence: String {
        switch self {
        case .invalidURL: "the URL is invalid"
        case .invalidMethod: "the method is invalid"
        case .invalidHeader: "a header field is invalid"
        case .invalidBody: "the body is invalid"
        case .bodyUnreadable: "the body cannot be read"
        case .bodyChanged: "the body is not as long as it was declared"
        case .bodyNotRepeatable: "the body is needed once more, and can be read only once"
        case .bodyNotSent: "the server answered before it had the whole body"
        case .offline: "the network is away"
        case .hostNotFound: "the host was not found"
        case .connectionRefused: "the connection was refused"
        case .connectionFailed: "no connection was made"
        case .secureConnectionFailed: "no secure connection was made"
        case .tlsVersionUnsupported: "there is no version of TLS in common"
        case .serverCertificateHasBadDate: "the server's certificate is not valid now"
        case .serverCertificateSelfSigned: "the server's certificate is signed by itself"
        case .serverCertificateUntrusted: "the server's certificate is not trusted"
        case .serverCertificateForOtherHost: "the server's certificate is of another host"
        case .serverPublicKeyNotPinned: "the server's public key is not a pinned one"
        case .clientCertificateRejected: "the server does not accept the client"
        case .invalidTLSOptions: "the options of TLS are invalid"
        case .unsupportedTLSOptions: "the transport does not support the options of TLS"
        case .connectionLost: "the connection was lost"
        case .connectTimedOut: "the time for the connection ran out"
        case .idleTimedOut: "nothing was sent or received for too long"
        case .timedOut: "the time for the request ran out"
        case .backgroundTimedOut: "the time in the background ran out"
        case .truncatedResponse: "the response is truncated"
        case .malformedResponse: "the response is no HTTP"
        case .undecodableResponse: "the response cannot be decompressed"
        case .responseTooLarge: "the response is too large"
        case .tooManyRedirects: "there are too many redirects"
        case .unsafeRedirect: "the redirect is not safe to follow"
        case .authenticationFailed: "there are no credentials to send"
        case .unacceptableResponse: "the response is not one that is accepted"
        case .fileNotWritable: "the file cannot be written"
        case .notCached: "no stored response can be used"
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
