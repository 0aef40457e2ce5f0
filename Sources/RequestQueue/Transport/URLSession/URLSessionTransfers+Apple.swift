#if URLSESSION && canImport(Security)
    import Dispatch
    import Security

    extension URLSessionTransfers {
        /// Evaluates a server with the TLS options, and sends the client certificate.
        func answer(
            _ challenge: URLAuthenticationChallenge, of task: URLSessionTask,
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
        init(trustError error: CFError?) {
            let kind: RequestError.Kind =
                switch error.map({ OSStatus(truncatingIfNeeded: CFErrorGetCode($0)) }) {
                case errSecCertificateExpired, errSecCertificateNotValidYet: .serverCertificateHasBadDate
                case errSecHostNameMismatch: .serverCertificateForOtherHost
                default: .serverCertificateUntrusted
                }
            self.init(kind, error.map { CFErrorCopyDescription($0) as String } ?? "it is not trusted")
        }
    }
#endif
