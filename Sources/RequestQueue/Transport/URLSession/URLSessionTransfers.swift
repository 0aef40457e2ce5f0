#if URLSESSION
    import Synchronization

    /// Forwards the events of a session to the transfer of their task.
    final class URLSessionTransfers: NSObject, URLSessionDataDelegate {
        let tls: SessionTLS
        private let transfers = Mutex<[Int: URLSessionTransfer]>([:])

        init(_ tls: SessionTLS) {
            self.tls = tls
        }

        func begin(_ transfer: URLSessionTransfer, _ task: URLSessionTask) {
            // Before the start: afterwards it can be cancelled, and end.
            transfers.withLock { $0[task.taskIdentifier] = transfer }
            guard transfer.begin(task) else { return task.cancel() }
            task.resume()
        }

        subscript(task: URLSessionTask) -> URLSessionTransfer? {
            transfers.withLock { $0[task.taskIdentifier] }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            completionHandler(self[task]?.openBody().flatMap(makeInputStream))
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            self[task]?.didSend(totalBytesSent)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            answer(challenge, of: task, completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            self[dataTask]?.didReceive(response)
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            self[dataTask]?.didReceive(data)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            finish(task, error)
        }

        /// Ends the transfer of a task, once.
        func finish(_ task: URLSessionTask, _ error: (any Error)?) {
            let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            transfer?.didFinish(error)
        }
    }
#endif
