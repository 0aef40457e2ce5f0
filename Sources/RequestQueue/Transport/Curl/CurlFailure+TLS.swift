#if CURL
    import CMappingCurl

    extension TransportFailure {
        /// Converts a TLS failure; `nil` for other failures, and for those that only libcurl's text explains.
        ///
        /// - Parameters:
        ///   - wantsCertificate: Whether the server requested a client certificate and has not responded yet.
        ///   - alert: The last alert from the server.
        init?(
            tls code: CURLcode, _ handle: CurlHandle, _ request: TransportRequest, wantsCertificate: Bool, alert: UInt8?
        ) {
            switch code {
            case CURLE_PEER_FAILED_VERIFICATION where handle.usesOpenSSL:
                self.init(verifyResult: handle.verifyResult, code, host: request.url.host() ?? "")
            case CURLE_PEER_FAILED_VERIFICATION: self.init(.serverCertificateUntrusted, handle.text(of: code), code)
            case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
                let count = request.tls.pinnedPublicKeys.count
                self.init(
                    .serverPublicKeyNotPinned,
                    count == 1 ? "it is not the pinned key" : "it is not one of the \(count) pinned keys",
                    code)
            case CURLE_SSL_CERTPROBLEM:
                self.init(.invalidTLSOptions, request.tls.clientCertificate?.reasonForRejection ?? "", code)
            case CURLE_SSL_CACERT_BADFILE where request.tls.authorities != .system:
                self.init(.invalidTLSOptions, "a certificate in TLSOptions.authorities is damaged", code)
            case CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SSL_CLIENTCERT:
                let hasCertificate = request.tls.clientCertificate != nil
                // If sending failed before the alert was read, libcurl's text describes the sending.
                for reason in [alert.map { 1000 + Int($0) }, handle.reasonOfOpenSSL(code)].compactMap(\.self) {
                    if let failure = TransportFailure(reason: reason, code, hasCertificate: hasCertificate) {
                        self = failure
                        return
                    }
                }
                // TLS 1.2 has no alert for a missing certificate, and the alert of TLS 1.3 is lost if the connection
                // closes before the request is sent. A later end can have other reasons.
                guard wantsCertificate, !handle.hasSent else { return nil }
                self.init(
                    .clientCertificateRejected,
                    hasCertificate
                        ? "the server received a client certificate, and closed the connection before the request"
                        : "the server requested a client certificate and closed the connection; set TLSOptions.clientCertificate",
                    code)
            default: return nil
            }
        }

        /// - Parameter verifyResult: An `X509_V_…` constant of OpenSSL.
        private init(verifyResult: Int, _ code: CURLcode, host: String) {
            let (kind, cause): (RequestError.Kind, String) =
                switch verifyResult {
                // The chain is valid, but libcurl finds no matching name in the certificate.
                case 0, 1:
                    (
                        .serverCertificateForOtherHost, "the certificate is not valid for the host '\(printable(host))'"
                    )
                case 9: (.serverCertificateHasBadDate, "the certificate is not valid yet")
                case 10: (.serverCertificateHasBadDate, "the certificate has expired")
                case 18: (.serverCertificateSelfSigned, "the certificate is not signed by an authority")
                case 2, 19, 20, 21:
                    (
                        .serverCertificateUntrusted, "the certificate is not signed by a trusted authority"
                    )
                default: (.serverCertificateUntrusted, "its chain to a trusted authority is invalid")
                }
            self.init(
                kind, verifyResult > 1 ? "\(cause) (libcurl 60, OpenSSL \(verifyResult))" : "\(cause) (libcurl 60)")
        }

        /// - Parameter reason: An `SSL_R_…` constant of OpenSSL; from 1000 on, alerts of the server (RFC 8446 §6).
        private init?(reason: Int, _ code: CURLcode, hasCertificate: Bool) {
            switch reason {
            // SSL_R_UNSUPPORTED_PROTOCOL, and the alert protocol_version.
            case 258, 1070:
                self.init(
                    .tlsVersionUnsupported, "server and client have no common TLS version (OpenSSL \(reason))",
                    code)
            // The alerts from bad_certificate to unknown_ca, access_denied and certificate_required.
            case 1042...1046, 1048, 1049, 1116:
                self.init(
                    .clientCertificateRejected,
                    hasCertificate
                        ? "the server does not accept the client certificate (TLS alert \(reason - 1000))"
                        : "the server requires TLSOptions.clientCertificate (TLS alert \(reason - 1000))",
                    code)
            default: return nil
            }
        }
    }

    extension CurlHandle {
        /// Whether libcurl's TLS library uses the error numbers of OpenSSL.
        fileprivate var usesOpenSSL: Bool {
            let library = CurlText.tlsLibrary
            return ["OpenSSL", "LibreSSL", "BoringSSL"].contains { library.hasPrefix($0) }
        }

        /// The reason number of an OpenSSL error, which libcurl includes in its text only, such as `error:0A00045C:…`.
        fileprivate func reasonOfOpenSSL(_ code: CURLcode) -> Int? {
            let text = text(of: code)
            guard let start = text.firstRange(of: "error:")?.upperBound else { return nil }
            let digits = text[start...].prefix { $0.isHexDigit }
            return Int(digits, radix: 16).map { $0 & 0xFFF }
        }
    }

    extension ClientCertificate {
        /// The reason why the certificate cannot be used.
        fileprivate var reasonForRejection: String {
            switch form {
            case .pem where password.isEmpty: "the private key is damaged, or does not match the certificate"
            case .pem: "wrong password, or the private key does not match the certificate"
            case .pkcs12: "the PKCS #12 of the client certificate is damaged, or its password is wrong"
            }
        }
    }
#endif
