/// The transport over Foundation's URLSession: the one of clients that are given none on Apple platforms.
///
/// It keeps no cookies, no cache and no credentials, and follows no redirect. It cannot tell when a connection is made,
/// so that `Timeouts.connect` has no effect, and hands responses over decompressed.
///
/// On Linux, where `CurlTransport` is the better one, it is in a module of its own, `URLSessionTransport`. There,
/// bodies above 1 MiB and those of unknown length go in chunks, and one that waits makes all sessions of the process wait.
public final class URLSessionTransport: Transport {
    /// The transport of clients that are given none.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let transfers = URLSessionTransfers()

    /// A transport with connections of its own.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        // Time-outs are another's.
        configuration.timeoutIntervalForRequest = Self.longTime
        configuration.timeoutIntervalForResource = Self.longTime
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: queue)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// A week, in seconds.
    private static let longTime = 604_800.0

    /// Bytes of the largest body that goes from memory, the one way to declare its length everywhere.
    private static let dataLimit: Int64 = 1 << 20

    /// Begins to send; a small body is read before.
    public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        let transfer = URLSessionTransfer(request, handler: handler)
        var message = URLRequest(url: request.url, timeoutInterval: Self.longTime)
        message.httpMethod = request.method.rawValue
        for field in request.headers { message.addValue(field.value, forHTTPHeaderField: field.name) }
        guard let body = request.body else {
            // RFC 9110 §8.6: these methods have a meaning for a body.
            let hasBody = [.post, .put, .patch].contains(request.method)
            let task =
                hasBody ? session.uploadTask(with: message, from: Data()) : session.dataTask(with: message)
            transfers.begin(transfer, task)
            return transfer
        }
        if request.method == .head {
            transfer.end(TransportFailure(.invalidBody, "a HEAD request has no body"))
        } else if let length = body.length, length <= Self.dataLimit {
            SmallBody(body).read { [message] result in
                switch result {
                case .success(let data):
                    self.transfers.begin(transfer, self.session.uploadTask(with: message, from: data))
                case .failure(let failure):
                    transfer.end(failure)
                }
            }
        } else {
            if let length = body.length, declaresStreams {
                message.setValue("\(length)", forHTTPHeaderField: "Content-Length")
            }
            transfers.begin(transfer, session.uploadTask(withStreamedRequest: message))
        }
        return transfer
    }
}
