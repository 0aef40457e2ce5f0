#if URLSESSION && canImport(Security)
    import Dispatch
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
                guard SecTrustEvaluateWithError(trust, &error) else { return TransportFailure(trustError: error) }
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

    extension URLSessionTransfers {
        /// Evaluates a server with the TLS options, and sends the client certificate.
        @objc(URLSession:task:didReceiveChallenge:completionHandler:)
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let space = challenge.protectionSpace
            switch space.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust where !tls.usesSystemTrust:
                // The evaluation may use the network; the delegate queue is shared by all transfers of the session.
                DispatchQueue.global(qos: .userInitiated).async { [self] in
                    guard let trust = challenge.protectionSpace.serverTrust else {
                        return completionHandler(.cancelAuthenticationChallenge, nil)
                    }
                    if let failure = tls.failure(of: trust) {
                        self[task]?.end(failure)
                        completionHandler(.cancelAuthenticationChallenge, nil)
                    } else {
                        completionHandler(.useCredential, URLCredential(trust: trust))
                    }
                }
            case NSURLAuthenticationMethodClientCertificate where tls.credential != nil:
                completionHandler(.useCredential, tls.credential)
            default: completionHandler(.performDefaultHandling, nil)
            }
        }
    }

    extension TransportFailure {
        /// Converts an error of the Security framework.
        fileprivate init(trustError error: CFError?) {
            let kind: RequestError.Kind =
                switch error.map({ OSStatus(truncatingIfNeeded: CFErrorGetCode($0)) }) {
                case errSecCertificateExpired, errSecCertificateNotValidYet: .serverCertificateHasBadDate
                case errSecHostNameMismatch: .serverCertificateForOtherHost
                default: .serverCertificateUntrusted
                }
            self.init(kind, error.map { CFErrorCopyDescription($0) as String } ?? "it is not trusted")
        }
    }

    extension ClientCertificate {
        /// Returns the credential with the client certificate.
        fileprivate func credential() throws(TransportFailure) -> URLCredential {
            guard case .pkcs12(let data) = form else {
                throw TransportFailure(
                    .unsupportedTLSOptions, "URLSession takes a client certificate in PKCS #12 only, not in PEM")
            }
            // The certificate must not be stored in the user's keychain.
            let importOptions: [String: Any] = [
                kSecImportExportPassphrase as String: password, kSecImportToMemoryOnly as String: true,
            ]
            var items: CFArray?
            let status = SecPKCS12Import(data as CFData, importOptions as CFDictionary, &items)
            let item = (items as? [[String: Any]])?.first
            guard status == errSecSuccess, let identity = item?[kSecImportItemIdentity as String],
                CFGetTypeID(identity as CFTypeRef) == SecIdentityGetTypeID()
            else {
                throw TransportFailure(
                    .invalidTLSOptions,
                    "the PKCS #12 of the client certificate is damaged, or its password is wrong (OSStatus \(status))")
            }
            let chain = item?[kSecImportItemCertChain as String] as? [SecCertificate]
            return URLCredential(
                identity: unsafeDowncast(identity as AnyObject, to: SecIdentity.self),
                certificates: chain.map { Array($0.dropFirst()) }, persistence: .forSession)
        }
    }
#endif
