#if URLSESSION && !canImport(Security)
    /// The TLS options of a session: on Linux, only the defaults are supported.
    struct SessionTLS: Sendable {
        init(_ options: TLSOptions) throws(TransportFailure) {
            guard options == TLSOptions() else {
                throw TransportFailure(
                    .unsupportedTLSOptions,
                    "URLSession on Linux supports only the default TLSOptions; use CurlTransport")
            }
        }

        func configure(_ configuration: URLSessionConfiguration) {}
    }
#endif
