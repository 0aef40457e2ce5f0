#if CURL
    import CCurl

    /// What libcurl is told of TLS, made once for all requests of a thread.
    struct CurlTLS {
        private let options: TLSOptions
        /// As a text of PEM; nil for libcurl's own.
        private let authorities: Data?

        init(_ options: TLSOptions) throws(TransportFailure) {
            self.options = options
            switch options.authorities {
            case .system, .systemAnd([]), .insecurelyAcceptingAnyCertificate: authorities = nil
            case .only(let certificates):
                guard !certificates.isEmpty else {
                    throw TransportFailure(.invalidTLSOptions, "TLSOptions.authorities has none to be trusted")
                }
                authorities = PEMBlock.text(of: certificates)
            case .systemAnd(let certificates):
                authorities = try Self.systemAuthorities() + PEMBlock.text(of: certificates)
            }
        }

        /// Sets all of it for a request.
        func apply(to handle: CurlHandle) throws(TransportFailure) {
            // The name of the host is checked, and the certificate, unless libcurl is told otherwise.
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
                    "libcurl with \(String(CurlText.tlsLibrary)) does not take them", handle.refusal)
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
            // Else the system's were trusted, too.
            handle.set(CURLOPT_CAINFO, nil)
            handle.set(CURLOPT_CAPATH, nil)
        }

        private func apply(_ certificate: ClientCertificate, to handle: CurlHandle) {
            // Without one libcurl would read a password where there is none, or OpenSSL ask for it at the terminal.
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

        /// The system's authorities as libcurl would read them from their file; nothing if they are only in a folder,
        /// which libcurl keeps to.
        private static func systemAuthorities() throws(TransportFailure) -> Data {
            let path = String(CurlText.authorities)
            if path.isEmpty { return Data() }
            do { return try Data(contentsOf: URL(fileURLWithPath: path)) + Data("\n".utf8) } catch {
                throw TransportFailure(
                    .unsupportedTLSOptions, "the system's authorities cannot be read from the file '\(path)'")
            }
        }
    }
#endif
