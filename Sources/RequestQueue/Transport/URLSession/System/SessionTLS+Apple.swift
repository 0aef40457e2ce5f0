#if URLSESSION && canImport(Security)
    import Security

    /// The TLS options of a session, implemented with Apple's Security framework.
    struct SessionTLS: Sendable {
        private let options: TLSOptions
        /// The client certificate for servers that request one; `nil` for none.
        let credential: URLCredential?

        init(_ options: TLSOptions) throws(TransportFailure) {
            if options.authorities == .only([]) {
                throw TransportFailure(.invalidTLSOptions, "TLSOptions.authorities is empty")
            }
            self.options = options
            credential = try options.clientCertificate?.credential()
        }

        func configure(_ configuration: URLSessionConfiguration) {
            switch options.minimumVersion {
            case .tls12: configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
            case .tls13: configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
            }
        }

        /// Whether the default evaluation of the system is sufficient.
        var usesSystemTrust: Bool { options.authorities == .system && options.pinnedPublicKeys.isEmpty }

        /// Returns the reason why a server is not trusted; `nil` if it is trusted.
        ///
        /// It may use the network.
        func failure(of trust: SecTrust) -> TransportFailure? {
            switch options.authorities {
            case .system, .insecurelyAcceptingAnyCertificate: break
            case .only(let certificates): anchor(trust, in: certificates, only: true)
            case .systemAnd(let certificates): anchor(trust, in: certificates, only: false)
            }
            if options.authorities != .insecurelyAcceptingAnyCertificate {
                var error: CFError?
                let isTrusted = unsafe SecTrustEvaluateWithError(trust, &error)
                if !isTrusted { return TransportFailure(trustError: error) }
            }
            if options.pinnedPublicKeys.isEmpty { return nil }
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
            let key = chain?.first.flatMap { try? Certificate(SecCertificateCopyData($0) as Data).publicKeyPin }
            if let key, options.pinnedPublicKeys.contains(key) { return nil }
            return TransportFailure(.serverPublicKeyNotPinned, "the key is not in TLSOptions.pinnedPublicKeys")
        }

        /// Trusts certificates; unreadable ones are ignored.
        private func anchor(_ trust: SecTrust, in certificates: [Certificate], only: Bool) {
            let anchors = certificates.compactMap { SecCertificateCreateWithData(nil, $0.der as CFData) }
            SecTrustSetAnchorCertificates(trust, anchors as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, only)
        }
    }
#endif
