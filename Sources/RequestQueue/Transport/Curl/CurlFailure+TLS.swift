#if CURL
    import CCurl

    extension TransportFailure {
        /// What a failure of TLS means; nil if it is another one, or one of which only libcurl's text tells more.
        ///
        /// - Parameters:
        ///   - wantsCertificate: Whether the server asked for a client certificate, and has not answered.
        ///   - alert: The last alert that the server sent.
        init?(
            tls code: CURLcode, _ handle: CurlHandle, _ request: TransportRequest, wantsCertificate: Bool, alert: UInt8?
        ) {
            switch code {
            case CURLE_PEER_FAILED_VERIFICATION where handle.isOfOpenSSL:
                self.init(verifyResult: handle.verifyResult, code, host: request.url.host() ?? "")
            case CURLE_PEER_FAILED_VERIFICATION: self.init(.serverCertificateUntrusted, handle.text(of: code), code)
            case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
                let count = request.tls.pinnedPublicKeys.count
                self.init(
                    .serverPublicKeyNotPinned,
                    count == 1 ? "it is another one than the pinned one" : "it is none of the \(count) pinned ones",
                    code)
            case CURLE_SSL_CERTPROBLEM:
                self.init(.invalidTLSOptions, request.tls.clientCertificate?.causeOfRefusal ?? "", code)
            case CURLE_SSL_CACERT_BADFILE where request.tls.authorities != .system:
                self.init(.invalidTLSOptions, "a certificate of TLSOptions.authorities is damaged", code)
            case CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SSL_CLIENTCERT:
                let hasCertificate = request.tls.clientCertificate != nil
                // Where sending failed before the alert was read, libcurl's text is of the sending.
                for reason in [alert.map { 1000 + Int($0) }, handle.reasonOfOpenSSL(code)].compactMap(\.self) {
                    if let failure = TransportFailure(reason: reason, code, hasCertificate: hasCertificate) {
                        self = failure
                        return
                    }
                }
                // Servers of TLS 1.2 have no alert for it, and one of TLS 1.3 is lost if the connection ends before the
                // request goes. An end after that may have another reason.
                guard wantsCertificate, !handle.hasSent else { return nil }
                self.init(
                    .clientCertificateRejected,
                    hasCertificate
                        ? "the server asked for a client certificate, got one, and ended the connection before the request"
                        : "the server asked for a client certificate, got none, and ended the connection before the request",
                    code)
            default: return nil
            }
        }

        /// - Parameter verifyResult: A number `X509_V_…` of OpenSSL.
        private init(verifyResult: Int, _ code: CURLcode, host: String) {
            let (kind, cause): (RequestError.Kind, String) =
                switch verifyResult {
                // The chain was not found wrong, but libcurl finds no name in the certificate.
                case 0, 1: (.serverCertificateForOtherHost, "it is not for the host '\(printable(host))'")
                case 9: (.serverCertificateHasBadDate, "it is not valid yet")
                case 10: (.serverCertificateHasBadDate, "it has expired")
                case 18: (.serverCertificateSelfSigned, "no authority vouches for it")
                case 2, 19, 20, 21: (.serverCertificateUntrusted, "none of the trusted authorities vouches for it")
                default: (.serverCertificateUntrusted, "its way to a trusted authority is not sound")
                }
            self.init(
                kind, verifyResult > 1 ? "\(cause) (libcurl 60, OpenSSL \(verifyResult))" : "\(cause) (libcurl 60)")
        }

        /// - Parameter reason: A number `SSL_R_…` of OpenSSL; those from 1000 are alerts of the server (RFC 8446 §6).
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
                        : "the server wants a client certificate, and TLSOptions has none (TLS alert \(reason - 1000))",
                    code)
            default: return nil
            }
        }
    }

    extension CurlHandle {
        /// Whether the numbers of libcurl's library for TLS are those of OpenSSL.
        fileprivate var isOfOpenSSL: Bool {
            let library = String(CurlText.tlsLibrary)
            return ["OpenSSL", "LibreSSL", "BoringSSL"].contains { library.hasPrefix($0) }
        }

        /// The number of the reason in an error of OpenSSL, which libcurl has in its text only, as `error:0A00045C:…`.
        fileprivate func reasonOfOpenSSL(_ code: CURLcode) -> Int? {
            let text = text(of: code)
            guard let start = text.firstRange(of: "error:")?.upperBound else { return nil }
            let digits = text[start...].prefix { $0.isHexDigit }
            return Int(digits, radix: 16).map { $0 & 0xFFF }
        }
    }

    extension ClientCertificate {
        /// Why it cannot be used.
        fileprivate var causeOfRefusal: String {
            switch form {
            case .pem where password.isEmpty: "the private key of the client certificate is damaged or of another one"
            case .pem: "the password of the client certificate is wrong, or its private key is of another one"
            case .pkcs12: "the PKCS #12 of the client certificate is damaged, or its password is wrong"
            }
        }
    }
#endif
