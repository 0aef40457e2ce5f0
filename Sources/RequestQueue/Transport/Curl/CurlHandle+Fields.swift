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
    }
#endif
