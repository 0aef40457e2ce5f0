#if CURL
    import CMappingCurl

    extension CurlHandle {
        /// Adds the header fields of a request, and those that libcurl would choose differently.
        ///
        /// - Parameter wasRefused: Whether the server has rejected `Expect`.
        /// - Returns: Whether the body is sent after the server accepts it (`Expect: 100-continue`).
        func addFields(of request: TransportRequest, wasRefused: Bool) throws(TransportFailure) -> Bool {
            guard request.method.rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw TransportFailure(.invalidMethod, "the method contains an invalid character")
            }
            for field in request.headers {
                let isSafe = field.name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x3A && $0 != 0x7F }
                guard isSafe && !field.name.isEmpty, field.value.utf8.allSatisfy({ $0 != 0 && $0 != 10 && $0 != 13 })
                else { throw TransportFailure(.invalidHeader, "a header field contains an invalid character") }
                // libcurl would omit a field without a value.
                let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 9 }
                addField(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
            }
            // libcurl would send `Accept: */*`.
            if request.headers["Accept"] == nil { addField("Accept:") }
            guard let body = request.body, body.length != 0 else {
                // RFC 9110 §8.6: a body has a meaning for these methods.
                if request.body != nil || [.post, .put, .patch].contains(request.method) {
                    addField("Content-Length: 0")
                }
                return false
            }
            // By default, libcurl would send `Expect` for any body, and wait a second for servers that ignore it. A
            // server that rejects a body need not read it, and its response can be lost when it closes the connection.
            let isLarge =
                request.mayBeRefused ? body.length ?? .max >= 64 << 10 : (body.length ?? 0) >= 1 << 20
            let expectation = request.headers["Expect"] ?? (isLarge && !wasRefused ? "100-continue" : "")
            if expectation.isEmpty { addField("Expect:") }
            return expectation.lowercased() == "100-continue"
        }

        /// Sets how the connection of a request is chosen, and how long it stays open.
        func setConnection(of request: TransportRequest, _ options: CurlTransport.Options) {
            if request.usesNewConnection { set(CURLOPT_FRESH_CONNECT, 1) }
            if options.idleConnections <= 0 { set(CURLOPT_FORBID_REUSE, 1) }
            // Whole seconds, and 0 has no special meaning; the thread ends on time if no other request runs.
            set(CURLOPT_MAXAGE_CONN, Int(min(max(options.idleTimeout / .seconds(1), 0), 1e9)))
            switch request.proxy {
            case .system: if request.url.isLoopback { set(CURLOPT_NOPROXY, "*") }
            case .none: set(CURLOPT_NOPROXY, "*")
            case .url(let proxy):
                set(CURLOPT_PROXY, proxy.absoluteString)
                set(CURLOPT_NOPROXY, "")
            }
        }
    }
#endif
