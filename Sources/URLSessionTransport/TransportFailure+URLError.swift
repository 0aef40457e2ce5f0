extension TransportFailure {
    /// What an error of URLSession means.
    init(urlError error: any Error) {
        guard let error = error as? URLError else {
            self.init(.connectionFailed, "\(error)")
            return
        }
        let text = error.localizedDescription
        self.init(
            // Who knows how far it was.
            Self.kinds[error.code] ?? .connectionLost,
            "\(text.hasSuffix(".") ? String(text.dropLast()) : text) (URLError \(error.errorCode))")
    }

    private static let kinds: [URLError.Code: RequestError.Kind] = [
        .badURL: .invalidURL, .unsupportedURL: .invalidURL,
        .cannotFindHost: .hostNotFound, .dnsLookupFailed: .hostNotFound,
        // What it says of a server that refuses, and rarely of others.
        .cannotConnectToHost: .connectionRefused,
        .networkConnectionLost: .connectionLost, .notConnectedToInternet: .connectionFailed,
        .dataNotAllowed: .connectionFailed, .internationalRoamingOff: .connectionFailed,
        .callIsActive: .connectionFailed, .appTransportSecurityRequiresSecureConnection: .connectionFailed,
        .timedOut: .connectTimedOut, .cancelled: .cancelled,
        .secureConnectionFailed: .secureConnectionFailed,
        .serverCertificateHasBadDate: .serverCertificateHasBadDate,
        .serverCertificateNotYetValid: .serverCertificateHasBadDate,
        .serverCertificateUntrusted: .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot: .serverCertificateUntrusted,
        .clientCertificateRejected: .clientCertificateRejected,
        .clientCertificateRequired: .clientCertificateRejected,
        .badServerResponse: .malformedResponse, .cannotParseResponse: .malformedResponse,
        .cannotDecodeRawData: .undecodableResponse, .cannotDecodeContentData: .undecodableResponse,
        .requestBodyStreamExhausted: .bodyNotRepeatable,
    ]
}
