#if URLSESSION
    extension TransportFailure {
        /// Converts an error of URLSession.
        init(urlError error: any Error) {
            guard let error = error as? URLError else {
                // Of the domain POSIX, for example after the suspension of an app; the phase of the failure is unknown.
                self.init(.connectionLost, causeText(of: error))
                return
            }
            let text = error.localizedDescription
            self.init(
                // For other errors, the phase of the failure is unknown.
                Self.kinds[error.code] ?? .connectionLost,
                "\(text.hasSuffix(".") ? String(text.dropLast()) : text) (URLError \(error.errorCode))")
        }

        private static let kinds: [URLError.Code: RequestError.Kind] = [
            .badURL: .invalidURL, .unsupportedURL: .invalidURL,
            .cannotFindHost: .hostNotFound, .dnsLookupFailed: .hostNotFound,
            // Usually refused; rarely another failure.
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
            // A GET request with a body, which URLSession does not send on Apple platforms.
            .dataLengthExceedsMaximum: .invalidBody,
            .requestBodyStreamExhausted: .bodyNotRepeatable,
        ]
    }
#endif
