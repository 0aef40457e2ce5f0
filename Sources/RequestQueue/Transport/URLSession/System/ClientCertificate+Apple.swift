#if URLSESSION && canImport(Security)
    import Security

    extension ClientCertificate {
        /// Returns the credential with the client certificate.
        func credential() throws(TransportFailure) -> URLCredential {
            guard case .pkcs12(let data) = form else {
                throw TransportFailure(
                    .unsupportedTLSOptions, "URLSession takes a client certificate in PKCS #12 only, not in PEM")
            }
            // The certificate must not be stored in the user's keychain.
            let importOptions: [String: Any] = [
                kSecImportExportPassphrase as String: password, kSecImportToMemoryOnly as String: true,
            ]
            var items: CFArray?
            let status = unsafe SecPKCS12Import(data as CFData, importOptions as CFDictionary, &items)
            let item = (items as? [[String: Any]])?.first
            guard status == errSecSuccess, let identity = item?[kSecImportItemIdentity as String],
                CFGetTypeID(identity as CFTypeRef) == SecIdentityGetTypeID()
            else {
                throw TransportFailure(
                    .invalidTLSOptions,
                    "the PKCS #12 of the client certificate is damaged, or its password is wrong (OSStatus \(status))"
                        + (password.isEmpty ? "; Apple platforms require a password" : ""))
            }
            let chain = item?[kSecImportItemCertChain as String] as? [SecCertificate]
            return URLCredential(
                identity: unsafe unsafeDowncast(identity as AnyObject, to: SecIdentity.self),
                certificates: chain.map { Array($0.dropFirst()) }, persistence: .forSession)
        }
    }
#endif
