#if URLSESSION
    extension RESTRequest {
        /// Creates a request from a Foundation request: its method, URL, header fields, and body in memory.
        ///
        /// If the body is a stream, sending the request throws an error of kind `invalidBody`. The timeout interval is used
        /// as idle timeout. On Linux, this initializer is in the module `URLSessionTransport`.
        ///
        /// - Parameters:
        ///   - request: A request with a URL of scheme `http` or `https`.
        ///   - transport: The transport. Defaults to that of the platform.
        public init(_ request: URLRequest, transport: (any Transport)? = nil) {
            self.init(HTTPMethod(rawValue: request.httpMethod ?? "GET"), url: request.url, transport: transport)
            if let body = request.httpBody { setBody(DataBody(body)) }
            if request.httpBodyStream != nil {
                refuse(
                    RequestError(
                        .invalidBody, "the body of the URLRequest is a stream; use a StreamBody", url: request.url)
                )
            }
            for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
                headers[name] = value
            }
            // A longer interval, such as infinity, means no timeout.
            settings.timeouts.idle = request.timeoutInterval < 1e9 ? .seconds(request.timeoutInterval) : nil
        }
    }
#endif
