#if CURL
    /// The connections and the thread of a transport for one set of TLS options.
    final class CurlConnections: Sendable {
        let inbox: CurlInbox

        init(options: CurlTransport.Options, tls: TLSOptions) {
            inbox = CurlInbox(options: options, tls: tls)
        }

        deinit { inbox.close() }
    }
#endif
