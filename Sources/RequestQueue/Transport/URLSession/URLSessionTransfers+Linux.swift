#if URLSESSION && !canImport(Security)
    extension URLSessionTransfers {
        /// Ends a response that requires authentication: it is complete here, and URLSession on Linux would not report
        /// its end.
        func answer(
            _ challenge: URLAuthenticationChallenge, of task: URLSessionTask,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            finish(task, nil)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

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
