#if !canImport(Security)
    extension URLSessionTransfers {
        /// Ends a response that asks who it is: by then it is here whole, and URLSession on Linux would tell no end.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            finish(task, nil)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
#endif
