#if !canImport(Security)
    /// What a session does of TLS: on Linux nothing but what it does unasked.
    struct SessionTLS: Sendable {
        init(_ options: TLSOptions) throws(TransportFailure) {
            guard options == TLSOptions() else {
                throw TransportFailure(
                    .unsupportedTLSOptions,
                    "URLSession on Linux trusts the system's authorities and nothing else; use CurlTransport")
            }
        }

        func configure(_ configuration: URLSessionConfiguration) {}
    }
#endif
