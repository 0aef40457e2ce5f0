#if URLSESSION && !canImport(Security)
    extension URLSessionTransfers {
        /// Ends a response that requires authentication: it is complete here, and URLSession on Linux would not report
        /// its end.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            finish(task, nil)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
#endif
