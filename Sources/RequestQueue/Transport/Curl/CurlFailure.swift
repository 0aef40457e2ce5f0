#if CURL
    import CMappingCurl

    extension TransportFailure {
        /// A failure with libcurl's code.
        init(_ kind: RequestError.Kind, _ cause: String, _ code: CURLcode) {
            self.init(kind, "\(cause) (libcurl \(code.rawValue))")
        }

        /// Converts an error code of libcurl.
        init(
            _ code: CURLcode, _ handle: CurlHandle, _ request: TransportRequest, isConnected: Bool, hasHead: Bool,
            wantsCertificate: Bool, alert: UInt8?
        ) {
            if let failure = TransportFailure(
                tls: code, handle, request, wantsCertificate: wantsCertificate && !hasHead, alert: alert)
            {
                self = failure
                return
            }
            if code == CURLE_RECV_ERROR, handle.proxyStatus >= 300 {
                self.init(.proxyFailed, "the proxy responded to CONNECT with status \(handle.proxyStatus)", code)
                return
            }
            let text = handle.text(of: code)
            let kind: RequestError.Kind =
                switch code {
                case CURLE_COULDNT_CONNECT where handle.systemError == ECONNREFUSED: .connectionRefused
                // libcurl reports this code for a response that is not HTTP/1.
                case CURLE_UNSUPPORTED_PROTOCOL where isConnected: .malformedResponse
                case _ where text.contains("chunked-encod"): .malformedResponse
                // Lines and heads that exceed libcurl's limits; 100 is CURLE_TOO_LARGE in libcurl 8.6.
                case _ where [CURLE_OUT_OF_MEMORY.rawValue, 100].contains(code.rawValue) && isConnected && !hasHead:
                    handle.hasSent ? .responseTooLarge : .invalidHeader
                case CURLE_RECV_ERROR where text.hasPrefix("Too large"): .responseTooLarge
                default: Self.kinds[code.rawValue] ?? .connectionFailed
                }
            switch kind {
            case .responseTooLarge:
                self.init(
                    kind,
                    "the head of the response exceeds libcurl's limits, 100 KiB for a line and 300 KiB for all lines, "
                        + "which ResponseLimits.headers cannot raise", code)
            case .invalidHeader: self.init(kind, "the head of the request exceeds libcurl's limit", code)
            default: self.init(kind, text.hasSuffix(".") ? String(text.dropLast()) : text, code)
            }
        }

        private static let kinds: [UInt32: RequestError.Kind] = {
            let table: [(RequestError.Kind, [CURLcode])] = [
                (.invalidURL, [CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT]),
                (.hostNotFound, [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY]),
                (.connectTimedOut, [CURLE_OPERATION_TIMEDOUT]),
                (.connectionLost, [CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR]),
                (.truncatedResponse, [CURLE_PARTIAL_FILE]),
                (.malformedResponse, [CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING]),
                (.bodyNotRepeatable, [CURLE_SEND_FAIL_REWIND]),
                (
                    .secureConnectionFailed,
                    [
                        CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
                        CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED,
                        CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED,
                        CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
                        CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
                    ]
                ),
            ]
            var kinds: [UInt32: RequestError.Kind] = [:]
            for (kind, codes) in table {
                for code in codes { kinds[code.rawValue] = kind }
            }
            return kinds
        }()
    }
#endif
