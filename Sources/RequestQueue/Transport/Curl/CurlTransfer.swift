#if CURL
    import CMappingCurl

    /// A request that is sent with libcurl.
    ///
    /// `cancel` and `resume` only post commands; everything else is called by the transport's thread only, which guards
    /// all variables.
    final class CurlTransfer: TransportTask, @unchecked Sendable {
        private var request: TransportRequest
        private let inbox: CurlInbox
        private var handler: (any TransportHandler)?
        private var head: ResponseHeadReader
        /// The body, when it was opened.
        private var upload: CheckedStream?
        /// Whether the body is sent after the server accepts it (`Expect: 100-continue`).
        private var expectsContinue = false
        /// Whether the server rejected `Expect`, and with it the request.
        private var isRefused = false
        /// The handle that performs the transfer, between its preparation and its end.
        private(set) var handle: CurlHandle?
        /// The error found by a callback; libcurl only knows that the callback failed.
        private var failure: TransportFailure?
        private var isConnected = false
        /// Whether the server requested a client certificate during the handshake.
        private var wantsCertificate = false
        /// The last TLS alert since the connection was established.
        private var alert: UInt8?
        /// Whether the connection chosen by libcurl must not be used.
        private var needsFreshConnection = false
        /// Whether the request is repeated intentionally, and not because a connection closed.
        private var isRestarting = false
        private(set) var sockets: CurlSockets?
        private var connection: CurlSockets.Connection? {
            didSet { if let oldValue { _ = sockets?.takeUnread(of: oldValue) } }
        }
        /// The time of the last check for bytes of the head.
        private var lastCheck = ContinuousClock.now
        /// The number of bytes that libcurl added to a chunked body.
        private var bytesOfFraming: Int64 = 0
        /// The number of body bytes that were reported to the handler.
        private var bytesSent: Int64 = 0
        /// The number of bytes in the response's body.
        private var bytesReceived: Int64 = 0
        /// The number of bytes received after the head.
        private var rawBytesReceived: Int64 = 0
        /// The last result of the handler.
        private var mayReceive = true
        private var isReceivingPaused = false
        private var isSendingPaused = false
        /// Whether it waits for a connection to its host.
        private var isWaiting = false
        /// Scheme, host and port.
        private(set) lazy var origin = request.url.originKey

        init(_ request: TransportRequest, handler: any TransportHandler, inbox: CurlInbox) {
            self.request = request
            self.handler = handler
            self.inbox = inbox
            head = ResponseHeadReader(limit: request.headerLimit)
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
            if upload == nil { try openUpload() }
            if request.usesNewConnection { handle.set(CURLOPT_FRESH_CONNECT, 1) }
            // libcurl does not read a body of zero bytes.
            if !hasBytes, try upload?.isBaseAtEnd() == false {
                upload?.whenReadable { [inbox] in inbox.post(.send(self)) }
                return false
            }
            expectsContinue = try handle.addFields(of: request, wasRefused: isRefused)
            handle.setUp(for: self, sockets)
            let options = inbox.options
            if options.idleConnections <= 0 { handle.set(CURLOPT_FORBID_REUSE, 1) }
            // Whole seconds, and 0 has no special meaning; the thread ends on time if no other request runs.
            handle.set(CURLOPT_MAXAGE_CONN, Int(min(max(options.idleTimeout / .seconds(1), 0), 1e9)))
            handle.set(CURLOPT_URL, request.url.absoluteString)
            switch request.proxy {
            case .system: if request.url.isLoopback { handle.set(CURLOPT_NOPROXY, "*") }
            case .none: handle.set(CURLOPT_NOPROXY, "*")
            case .url(let proxy):
                handle.set(CURLOPT_PROXY, proxy.absoluteString)
                handle.set(CURLOPT_NOPROXY, "")
            }
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
            self.sockets = sockets
            retainSelf()
            return true
        }

        /// Returns the handle.
        func release() {
            (handle, connection) = (nil, nil)
            releaseSelf()
        }

        /// Reports the durations measured by libcurl.
        func collectMetrics() { if let handle { handler?.transportDidCollect(handle.metrics) } }

        /// Reports the end.
        func finish(_ failure: TransportFailure?) {
            let handler = self.handler
            self.handler = nil
            upload = nil
            // A body that never has bytes can retain the transfer; releasing it breaks the cycle.
            request.body = nil
            handler?.transportDidFinish(failure)
        }

        /// Returns the handle, prepared to start again, if its connection was rejected.
        func handleForFreshConnection() -> CurlHandle? {
            guard needsFreshConnection, let handle else { return nil }
            (needsFreshConnection, isRestarting, isSendingPaused) = (false, true, false)
            (connection, alert) = (nil, nil)
            handle.set(CURLOPT_FRESH_CONNECT, 1)
            guard isRefused else { return handle }
            do {
                if upload?.bytesReturned != 0 { try openUpload() }
                handle.removeFields()
                expectsContinue = try handle.addFields(of: request, wasRefused: isRefused)
                handle.useFields()
                return handle
            } catch {
                failure = error
                return nil
            }
        }

        /// Returns the reason why the response is incomplete, after libcurl has finished.
        func outcome(_ code: CURLcode) -> TransportFailure? {
            if code != CURLE_OK, let connection { sockets?.forget(connection) }
            if let failure { return failure }
            guard code == CURLE_OK else {
                if isRepeating, Self.connecting.contains(code.rawValue) { return .staleConnection }
                // A server may close after a complete response while the body is still being sent.
                if code == CURLE_SEND_ERROR, receiveUnread() { return nil }
                return handle.map {
                    TransportFailure(
                        code, $0, request, isConnected: isConnected, hasHead: head.isComplete,
                        wantsCertificate: wantsCertificate, alert: alert)
                }
            }
            guard head.isComplete else {
                return TransportFailure(.connectionLost, "the connection closed within the head of the response")
            }
            // libcurl discards surplus bytes and reports success.
            if let length = head.length, rawBytesReceived > length, bytesReceived > 0 {
                return TransportFailure(.malformedResponse, "the body exceeds its declared length of \(length) bytes")
            }
            return nil
        }

        /// Receives the rest of a response that libcurl did not read because sending the body failed.
        ///
        /// - Returns: Whether the response is complete.
        private func receiveUnread() -> Bool {
            var rest = (connection.flatMap { sockets?.takeUnread(of: $0) } ?? [])[...]
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

        /// Whether libcurl sends the request again, because a reused connection closed before a response.
        ///
        /// The server may have processed what it received, so this is decided above the transport.
        private var isRepeating: Bool { isConnected && !isRestarting && handle?.hasSent == true }

        // MARK: Callbacks of libcurl

        /// - Returns: Whether a connection may be established, and a body be read from its beginning.
        func mayConnect() -> Bool {
            if isRepeating {
                if let handle { didSend(handle.bytesSent) }
                failure = .staleConnection
            }
            return failure == nil
        }

        /// - Returns: Whether the request may be sent.
        func didConnect(_ connection: CurlSockets.Connection) -> Bool {
            guard mayConnect() else { return false }
            self.connection = connection
            let socket = sockets?.socket(of: connection)
            if upload != nil, !request.url.isSecure { sockets?.keepUnread(of: connection) }
            alert = nil
            // The handshake is complete, unless this connection closed and another one follows. In TLS 1.3, a server
            // rejects the client's certificate afterwards.
            if handle?.isReusing == false, !wantsCertificate { handle?.watchBytes(false) }
            lastCheck = .now
            // libcurl 7.88 reuses connections with unexpected bytes and takes them for the next response; it also
            // reuses connections on which sending failed, where OpenSSL still holds the earlier request.
            if let handle, handle.isReusing {
                let isSilent = socket.map { mk_curl_is_silent($0) != 0 } ?? false
                needsFreshConnection = !isSilent || handle.hasPendingBytes
                if needsFreshConnection { return false }
            }
            if !isConnected {
                isConnected = true
                handler?.transportDidConnect()
            }
            return true
        }

        /// - Returns: Whether to continue with the response.
        func didReceive(line: RawSpan) -> Bool {
            do {
                guard let response = try head.read(line) else {
                    if head.isAfterInformationalHead { handler?.transportDidReceiveHeadBytes() }
                    return true
                }
                if response.status == 417, expectsContinue, !isBodySent {
                    // The server rejects `Expect`: the request is sent again without it. libcurl 7.88 would send it on
                    // the same connection, possibly after a part of the body.
                    head = ResponseHeadReader(limit: request.headerLimit)
                    request.headers["Expect"] = nil
                    (expectsContinue, isRefused, needsFreshConnection) = (false, true, true)
                    return false
                }
                if head.hasTwoLengths { handle?.set(CURLOPT_FORBID_REUSE, 1) }
                if let handle, upload != nil { didSend(handle.bytesSent) }
                rawBytesReceived = 0
                handle?.watchBytes()
                // After such a response libcurl sends no more, but waits for the body to resume.
                if response.status >= 300, isSendingPaused { inbox.post(.send(self)) }
                handler?.transportDidReceive(response)
                return true
            } catch {
                failure = error
                return false
            }
        }

        /// Whether libcurl has sent the whole body.
        private var isBodySent: Bool {
            guard let length = request.body?.length else { return upload?.isAtEnd == true }
            return handle.map { $0.bytesSent >= length } ?? false
        }

        /// Handles libcurl's log, or copies of the bytes of a connection.
        func didReceiveDebugInfo(_ kind: curl_infotype, _ bytes: RawSpan) {
            func begins(with start: String) -> Bool {
                start.utf8.count <= bytes.byteCount
                    && start.utf8.enumerated().allSatisfy { bytes.byte(at: $0.offset) == $0.element }
            }
            switch kind {
            case CURLINFO_DATA_IN: rawBytesReceived += Int64(bytes.byteCount)
            // A handshake message: certificate_request (RFC 8446 §4).
            case CURLINFO_SSL_DATA_IN where bytes.byte(at: 0) == 13: wantsCertificate = true
            // An alert consists of level and description (RFC 8446 §6); no other message has two bytes.
            case CURLINFO_SSL_DATA_IN where bytes.byteCount == 2: alert = bytes.byte(at: 1)
            // libcurl discards bytes after a response, but keeps the connection, on which more may arrive.
            case CURLINFO_TEXT where begins(with: "Excess found") || begins(with: "Leftovers after chunking"):
                if let connection { sockets?.forget(connection) }
            default: break
            }
        }

        /// - Returns: Whether the bytes were accepted; otherwise they are delivered again after the pause.
        func didReceive(_ bytes: RawSpan) -> Bool {
            guard head.isComplete, !bytes.isEmpty else { return true }
            guard mayReceive else {
                isReceivingPaused = true
                return false
            }
            bytesReceived += Int64(bytes.byteCount)
            mayReceive = handler?.transportDidReceive(bytes) ?? true
            return true
        }

        /// - Returns: `nil` if the body cannot be sent.
        func read(into buffer: inout MutableRawSpan) -> BodyRead? {
            do {
                // libcurl asks for more after the system accepted the previous bytes.
                reportSent(upload?.bytesReturned ?? 0)
                let read = try upload?.read(into: &buffer) ?? .end
                switch read {
                case .bytes(let count) where request.body?.length == nil:
                    // The count in hexadecimal digits and two line breaks.
                    bytesOfFraming += Int64(String(count, radix: 16).utf8.count + 4)
                case .wait:
                    isSendingPaused = true
                    upload?.whenReadable { [inbox] in inbox.post(.send(self)) }
                case .bytes, .end: break
                }
                return read
            } catch {
                failure = error
                return nil
            }
        }

        /// Checks for progress.
        ///
        /// - Parameter bytes: The sent bytes of the body as counted by libcurl, including the framing of chunks.
        func didProgress(sent bytes: Int64) {
            didSend(bytes)
            // libcurl reports complete lines only.
            guard !head.isComplete, let connection, let socket = sockets?.knownSocket(of: connection)
            else { return }
            let now = ContinuousClock.now
            guard now - lastCheck >= .milliseconds(10) else { return }
            let silence = mk_curl_silence(socket)
            if silence >= 0, .milliseconds(silence) < now - lastCheck { handler?.transportDidReceiveHeadBytes() }
            lastCheck = now
        }

        private func didSend(_ bytes: Int64) {
            guard let upload else { return }
            reportSent(min(upload.bytesReturned, bytes - bytesOfFraming))
        }

        /// - Returns: Whether the body can be sent again.
        func reopen() -> Bool {
            guard mayConnect() else { return false }
            do { try openUpload() } catch {
                failure = error
                return false
            }
            return true
        }

        private func openUpload() throws(TransportFailure) {
            upload = try request.body?.opened()
            (bytesOfFraming, isSendingPaused) = (0, false)
            guard bytesSent > 0 else { return }
            bytesSent = 0
            handler?.transportDidSend(0)
        }

        private func reportSent(_ bytes: Int64) {
            guard bytes > bytesSent else { return }
            bytesSent = bytes
            handler?.transportDidSend(bytes)
        }

        // MARK: Pauses

        func resumeReceiving() -> CURLcode {
            mayReceive = true
            guard isReceivingPaused, let handle else { return CURLE_OK }
            isReceivingPaused = false
            return handle.pause(receiving: false, sending: isSendingPaused)
        }

        func resumeSending() -> CURLcode {
            guard isSendingPaused, let handle else { return CURLE_OK }
            isSendingPaused = false
            return handle.pause(receiving: isReceivingPaused, sending: false)
        }
    }
#endif
