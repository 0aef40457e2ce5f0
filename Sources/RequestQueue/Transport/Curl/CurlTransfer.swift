#if CURL
    import CMappingCurl

    /// A request that is sent with libcurl.
    ///
    /// `cancel` and `resume` only post commands; everything else is called by the transport's thread only, which guards
    /// all variables.
    final class CurlTransfer: TransportTask, @unchecked Sendable {
        var request: TransportRequest
        let inbox: CurlInbox
        private(set) var handler: (any TransportHandler)?
        var head: ResponseHeadReader
        var upload: CurlUpload
        var connection = HTTP1Guard()
        /// The handle that performs the transfer, between its preparation and its end.
        private(set) var handle: CurlHandle?
        /// The error found by a callback; libcurl only knows that the callback failed.
        var failure: TransportFailure?
        /// The number of bytes in the response's body.
        var bytesReceived: Int64 = 0
        /// The last result of the handler.
        var mayReceive = true
        var isReceivingPaused = false
        /// Whether it waits for a connection to its host.
        private var isWaiting = false
        /// Scheme, host and port.
        private(set) lazy var origin = request.url.originKey

        init(_ request: TransportRequest, handler: any TransportHandler, inbox: CurlInbox) {
            self.request = request
            self.handler = handler
            self.inbox = inbox
            head = ResponseHeadReader(limit: request.headerLimit)
            upload = CurlUpload(length: request.body?.length)
        }

        func cancel() { inbox.post(.cancel(self)) }

        func resume() { inbox.post(.receive(self)) }

        var isFinished: Bool { handler == nil }

        /// Whether libcurl performs it.
        var isRunning: Bool { handle != nil }

        // MARK: Start and end

        /// All connections to the host are in use.
        func waitForConnection() {
            isWaiting = true
            handler?.transportIsWaiting(true)
        }

        /// Assigns a handle, which retains the transfer until it is released.
        ///
        /// - Returns: Whether the transfer can start; otherwise a command follows when it can.
        func prepare(_ handle: CurlHandle, _ sockets: CurlSockets, _ tls: CurlTLS) throws(TransportFailure) -> Bool {
            if isWaiting {
                isWaiting = false
                handler?.transportIsWaiting(false)
            }
            let body = request.body
            let hasBytes = body != nil && body?.length != 0
            if upload.stream == nil { try openBody() }
            // libcurl does not read a body of zero bytes.
            if !hasBytes, try upload.stream?.isBaseAtEnd() == false {
                upload.stream?.whenReadable { [inbox] in inbox.post(.send(self)) }
                return false
            }
            upload.expectsContinue = try handle.addFields(of: request, wasRefused: upload.isRefused)
            handle.setUp(for: self, sockets)
            handle.setConnection(of: request, inbox.options)
            handle.set(CURLOPT_URL, request.url.absoluteString)
            if request.url.isSecure {
                try tls.apply(to: handle)
                handle.watchBytes()
            }
            if hasBytes { handle.setUpBody(of: body?.length, for: self) }
            switch request.method {
            case .head where hasBytes: throw TransportFailure(.invalidBody, "a HEAD request has no body")
            case .head: handle.set(CURLOPT_NOBODY, 1)
            case .get where !hasBytes, .put where hasBytes: break
            default: handle.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
            }
            guard handle.refusal == CURLE_OK else {
                throw TransportFailure(
                    .invalidURL, "libcurl rejected the request, for example because it is too long", handle.refusal)
            }
            self.handle = handle
            connection.begin(sockets)
            retainSelf()
            return true
        }

        /// Returns the handle.
        func release() {
            handle = nil
            connection.end()
            releaseSelf()
        }

        /// Reports the durations measured by libcurl.
        func collectMetrics() { if let handle { handler?.transportDidCollect(handle.metrics) } }

        /// Reports the end.
        func finish(_ failure: TransportFailure?) {
            let handler = self.handler
            self.handler = nil
            upload.end()
            // A body that never has bytes can retain the transfer; releasing it breaks the cycle.
            request.body = nil
            handler?.transportDidFinish(failure)
        }

        /// Returns the handle, prepared to start again, if its connection was rejected.
        func handleForFreshConnection() -> CurlHandle? {
            guard connection.needsFreshConnection, let handle else { return nil }
            connection.restart()
            upload.isPaused = false
            handle.set(CURLOPT_FRESH_CONNECT, 1)
            guard upload.isRefused else { return handle }
            do {
                if upload.stream?.bytesReturned != 0 { try openBody() }
                handle.removeFields()
                upload.expectsContinue = try handle.addFields(of: request, wasRefused: upload.isRefused)
                handle.useFields()
                return handle
            } catch {
                failure = error
                return nil
            }
        }

        /// Returns the reason why the response is incomplete, after libcurl has finished.
        func outcome(_ code: CURLcode) -> TransportFailure? {
            if code != CURLE_OK { connection.forget() }
            if let failure { return failure }
            guard code == CURLE_OK else {
                if connection.isRepeating(handle), Self.connecting.contains(code.rawValue) { return .staleConnection }
                // A server may close after a complete response while the body is still being sent.
                if code == CURLE_SEND_ERROR, receiveUnread() { return nil }
                return handle.map {
                    TransportFailure(
                        code, $0, request, isConnected: connection.isConnected, hasHead: head.isComplete,
                        wantsCertificate: connection.wantsCertificate, alert: connection.alert)
                }
            }
            guard head.isComplete else {
                return TransportFailure(.connectionLost, "the connection closed within the head of the response")
            }
            // libcurl discards surplus bytes and reports success.
            if let length = head.length, connection.exceeds(length), bytesReceived > 0 {
                return TransportFailure(.malformedResponse, "the body exceeds its declared length of \(length) bytes")
            }
            return nil
        }

        /// Receives the rest of a response that libcurl did not read because sending the body failed.
        ///
        /// - Returns: Whether the response is complete.
        private func receiveUnread() -> Bool {
            var rest = connection.takeUnread()[...]
            while !head.isComplete {
                guard let end = rest.firstIndex(of: 0x0A) else { return false }
                guard Array(rest[...end]).withRawSpan({ didReceive(line: $0) }) else { return false }
                rest = rest[(end + 1)...]
            }
            guard let length = head.length else { return false }
            let body = Array(rest.prefix(Int(clamping: length - bytesReceived)))
            return body.withRawSpan { didReceive($0) } && bytesReceived == length
        }

        /// Error codes of connections that were not established.
        private static let connecting = Set(
            [CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY].map(\.rawValue))
    }
#endif
