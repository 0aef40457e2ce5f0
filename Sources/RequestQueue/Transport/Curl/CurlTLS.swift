#if CURL
    import CMappingCurl

    /// The TLS options for libcurl, prepared once for all requests of a thread.
    struct CurlTLS {
        private let options: TLSOptions
        /// The authorities as PEM text; `nil` for libcurl's default.
        private let authorities: Data?

        init(_ options: TLSOptions) throws(TransportFailure) {
            self.options = options
            switch options.authorities {
            case .system, .systemAnd([]), .insecurelyAcceptingAnyCertificate: authorities = nil
            case .only(let certificates):
                guard !certificates.isEmpty else {
                    throw TransportFailure(.invalidTLSOptions, "TLSOptions.authorities is empty")
                }
                authorities = PEMBlock.text(of: certificates)
            case .systemAnd(let certificates):
                authorities = try Self.systemAuthorities() + PEMBlock.text(of: certificates)
            }
        }

        /// Sets the options of a request.
        func apply(to handle: CurlHandle) throws(TransportFailure) {
            // libcurl verifies hostname and certificate by default.
            switch options.minimumVersion {
            case .tls12: handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
            case .tls13: handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_3)
            }
            applyAuthorities(to: handle)
            if !options.pinnedPublicKeys.isEmpty {
                let pins = options.pinnedPublicKeys.map { "sha256//" + $0.base64 }.sorted()
                handle.set(CURLOPT_PINNEDPUBLICKEY, pins.joined(separator: ";"))
            }
            if let certificate = options.clientCertificate { apply(certificate, to: handle) }
            guard handle.refusal == CURLE_OK else {
                throw TransportFailure(
                    .unsupportedTLSOptions,
                    "libcurl with \(CurlText.tlsLibrary) does not support them", handle.refusal)
            }
        }

        private func applyAuthorities(to handle: CurlHandle) {
            if case .insecurelyAcceptingAnyCertificate = options.authorities {
                handle.set(CURLOPT_SSL_VERIFYPEER, 0)
                handle.set(CURLOPT_SSL_VERIFYHOST, 0)
            }
            guard let authorities else { return }
            handle.set(CURLOPT_CAINFO_BLOB, authorities)
            guard case .only = options.authorities else { return }
            // Otherwise the authorities of the system would be trusted as well.
            handle.set(CURLOPT_CAINFO, nil)
            handle.set(CURLOPT_CAPATH, nil)
        }

        private func apply(_ certificate: ClientCertificate, to handle: CurlHandle) {
            // Without a password, libcurl would read uninitialized memory, or OpenSSL would ask at the terminal.
            handle.set(CURLOPT_KEYPASSWD, certificate.password)
            switch certificate.form {
            case .pem(let certificates, let key):
                handle.set(CURLOPT_SSLCERTTYPE, "PEM")
                handle.set(CURLOPT_SSLCERT_BLOB, PEMBlock.text(of: certificates))
                handle.set(CURLOPT_SSLKEYTYPE, "PEM")
                handle.set(CURLOPT_SSLKEY_BLOB, key)
            case .pkcs12(let data):
                handle.set(CURLOPT_SSLCERTTYPE, "P12")
                handle.set(CURLOPT_SSLCERT_BLOB, data)
            }
        }

        /// Returns the authorities in the system's file; empty if they are only in a folder, which libcurl uses by
        /// default.
        private static func systemAuthorities() throws(TransportFailure) -> Data {
            let path = CurlText.authorities
            if path.isEmpty { return Data() }
            do { return try Data(contentsOf: URL(fileURLWithPath: path)) + Data("\n".utf8) } catch {
                throw TransportFailure(
                    .unsupportedTLSOptions, "the system's authorities cannot be read from the file '\(path)'")
            }
        }
    }
#endif
