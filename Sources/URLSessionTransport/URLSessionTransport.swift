/// The transport over Foundation's URLSession: the one of clients that are given none on Apple platforms.
///
/// It keeps no cookies, no cache and no credentials, and follows no redirect. It cannot tell when a connection is made,
/// so that `Timeouts.connect` has no effect, and hands responses over decompressed.
///
/// On Apple platforms it does all of `TLSOptions`, but takes client certificates in PKCS #12 only.
///
/// On Linux, where `CurlTransport` is the better one, it is in a module of its own, `URLSessionTransport`. There, a
/// request with other `TLSOptions` than those that hold unless told fails with `unsupportedTLSOptions`, bodies above
/// 1 MiB and those of unknown length go in chunks, and one that waits makes all sessions of the process wait.
public final class URLSessionTransport: Transport {
    /// The transport of clients that are given none.
    public static let shared = URLSessionTransport()

    private let connections = TLSPartitions { URLSessionConnections(tls: $0) }

    /// A transport with connections of its own.
    public init() {}

    /// Bytes of the largest body that goes from memory, the one way to declare its length everywhere.
    private static let dataLimit: Int64 = 1 << 20

    /// Begins to send; a small body is read before.
    public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        let transfer = URLSessionTransfer(request, handler: handler)
        guard request.proxy == .system else {
            transfer.end(TransportFailure(.proxyFailed, "URLSession supports the proxy of the system only"))
            return transfer
        }
        let connections = connections[request.tls]
        var message = URLRequest(url: request.url, timeoutInterval: URLSessionConnections.longTime)
        message.httpMethod = request.method.rawValue
        for field in request.headers { message.addValue(field.value, forHTTPHeaderField: field.name) }
        guard let body = request.body else {
            // RFC 9110 §8.6: these methods have a meaning for a body.
            let hasBody = [.post, .put, .patch].contains(request.method)
            connections.begin(transfer) { session in
                hasBody ? session.uploadTask(with: message, from: Data()) : session.dataTask(with: message)
            }
            return transfer
        }
        if request.method == .head {
            transfer.end(TransportFailure(.invalidBody, "a HEAD request has no body"))
        } else if let length = body.length, length <= Self.dataLimit {
            SmallBody(body).read { [message] result in
                switch result {
                case .success(let data):
                    connections.begin(transfer) { $0.uploadTask(with: message, from: data) }
                case .failure(let failure):
                    transfer.end(failure)
                }
            }
        } else {
            if let length = body.length, declaresStreams {
                message.setValue("\(length)", forHTTPHeaderField: "Content-Length")
            }
            connections.begin(transfer) { $0.uploadTask(withStreamedRequest: message) }
        }
        return transfer
    }

    /// Closes the connections that no request uses, and others when their requests have ended.
    public func closeIdleConnections() { connections.removeAll() }
}
