#if CURL
    import CCurl

    /// One request that libcurl carries.
    ///
    /// `cancel` and `resume` only post; all else is called, and all variables are touched, by the transport's thread.
    final class CurlTransfer: TransportTask, @unchecked Sendable {
        private var request: TransportRequest
        private let inbox: CurlInbox
        private var handler: (any TransportHandler)?
        private var head: ResponseHeadReader
        private var upload: BodyReader?
        /// Whether the body goes only when the server, asked by `Expect`, wants it.
        private var asksFirst = false
        /// Whether the server did not take the question, and so nothing of the request.
        private var isRefused = false
        /// Whether the body was read to its end.
        private var isReadWhole = false
        /// The handle that carries it, from its preparation to its end.
        private(set) var handle: CurlHandle?
        /// What a callback found wrong; libcurl only knows that it did.
        private var failure: TransportFailure?
        private var isConnected = false
        /// Whether the server asked for a client certificate when the connection was made.
        private var wantsCertificate = false
        /// The last alert of TLS since the connection was made.
        private var alert: UInt8?
        /// Whether the connection that libcurl chose must not be used.
        private var needsFreshConnection = false
        /// Whether it goes again by our will, not since a connection ended.
        private var isBeginningAgain = false
        private var sockets: CurlSockets?
        private var connection: CurlSockets.Connection?
        /// When it was last looked whether bytes of the head came.
        private var lastLook = ContinuousClock.now
        /// Bytes that libcurl adds to a body in chunks.
        private var bytesOfFraming: Int64 = 0
        /// Bytes of the body that the handler knows of.
        private var bytesSent: Int64 = 0
        /// Bytes of the response's body.
        private var bytesReceived: Int64 = 0
        /// Bytes that came behind the head.
        private var rawBytesReceived: Int64 = 0
        /// The handler's last answer.
        private var mayReceive = true
        private var isReceivingPaused = false
        private var isSendingPaused = false
        /// Whether it waits for one of the connections to its host.
        private var isWaiting = false
        /// Scheme, host and port.
        private(set) lazy var origin = request.url.originKey

        init(_ request: TransportRequest, handler: any TransportHandler, inbox: CurlInbox) {
            self.request = request
            self.handler = handler
            self.inbox = inbox
            head = ResponseHeadReader(limit: request.headerLimit)
            upload = request.body.map { BodyReader($0) }
        }

        func cancel() { inbox.post(.cancel(self)) }

        func resume() { inbox.post(.receive(self)) }

        var isFinished: Bool { handler == nil }

        /// Whether libcurl has it.
        var isRunning: Bool { handle != nil }

        // MARK: Beginning and end

        /// All connections that its host may have are in use.
        func waitForConnection() {
            isWaiting = true
            handler?.transportIsWaiting(true)
        }

        /// Gives the request to a handle, which keeps the transfer alive until it is released.
        ///
        /// - Returns: Whether it may begin; else a command comes when it may.
        func prepare(_ handle: CurlHandle, _ sockets: CurlSockets, _ tls: CurlTLS) throws(TransportFailure) -> Bool {
            if isWaiting {
                isWaiting = false
                handler?.transportIsWaiting(false)
            }
            let body = request.body
            let hasBytes = body != nil && body?.length != 0
            if upload?.isOpen == false { try openUpload() }
            // libcurl does not ask for a body of no bytes.
            if !hasBytes, try upload?.isAtEnd() == false {
                upload?.whenReadable { [inbox] in inbox.post(.send(self)) }
                return false
            }
            try addFields(to: handle)
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
                    .invalidURL, "libcurl does not take the request, as one too long", handle.refusal)
            }
            self.handle = handle
            self.sockets = sockets
            keep()
            return true
        }

        /// Gives the handle back.
        func release() {
            (handle, connection) = (nil, nil)
            letGo()
        }

        /// Reports the durations that libcurl measured.
        func collectMetrics() { if let handle { handler?.transportDidCollect(handle.metrics) } }

        /// Tells the end.
        func finish(_ failure: TransportFailure?) {
            let handler = self.handler
            self.handler = nil
            upload = nil
            // A body that never has bytes may keep the transfer, which must not keep the body.
            request.body = nil
            handler?.transportDidFinish(failure)
        }

        /// The handle, set to go again, if its connection was refused.
        func handleForFreshConnection() -> CurlHandle? {
            guard needsFreshConnection, let handle else { return nil }
            (needsFreshConnection, isBeginningAgain, isSendingPaused) = (false, true, false)
            (connection, alert) = (nil, nil)
            handle.set(CURLOPT_FRESH_CONNECT, 1)
            guard isRefused else { return handle }
            do {
                if upload?.bytesRead != 0 { try openUpload() }
                handle.removeFields()
                try addFields(to: handle)
                handle.useFields()
                return handle
            } catch {
                failure = error
                return nil
            }
        }

        /// Why there is no whole response, when libcurl is done.
        func outcome(_ code: CURLcode) -> TransportFailure? {
            if code != CURLE_OK, let connection { sockets?.forget(connection) }
            if let failure { return failure }
            guard code == CURLE_OK else {
                // What the server got before the connection ended it may have obeyed.
                if isConnected, !isBeginningAgain, handle?.hasSent == true, Self.connecting.contains(code.rawValue) {
                    return TransportFailure(
                        .connectionLost, "the connection ended before an answer, and no other could be made", code)
                }
                // A server that answered wholly may close while the body is still going.
                if code == CURLE_SEND_ERROR, let length = head.length, bytesReceived == length { return nil }
                return handle.map {
                    TransportFailure(
                        code, $0, request, isConnected: isConnected, hasHead: head.isWhole,
                        wantsCertificate: wantsCertificate, alert: alert)
                }
            }
            guard head.isWhole else {
                return TransportFailure(.connectionLost, "the connection ended within the head of the response")
            }
            // libcurl drops what is too much, and calls that a success.
            if let length = head.length, rawBytesReceived > length, bytesReceived > 0 {
                return TransportFailure(.malformedResponse, "the body has more than the \(length) bytes declared")
            }
            return nil
        }

        /// Codes of a connection that is not made.
        private static let connecting = Set(
            [CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY].map(\.rawValue))

        private func addFields(to handle: CurlHandle) throws(TransportFailure) {
            guard request.method.rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw TransportFailure(.invalidMethod, "the method has a character that it must not have")
            }
            for field in request.headers {
                let isSafe = field.name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x3A && $0 != 0x7F }
                guard isSafe && !field.name.isEmpty, field.value.utf8.allSatisfy({ $0 != 0 && $0 != 10 && $0 != 13 })
                else { throw TransportFailure(.invalidHeader, "a header field has a character that it must not have") }
                // A field without a value is one that libcurl would leave out.
                let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 9 }
                handle.addField(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
            }
            guard let body = request.body else {
                // RFC 9110 §8.6: these methods have a meaning for a body.
                if [.post, .put, .patch].contains(request.method) { handle.addField("Content-Length: 0") }
                return
            }
            if body.length == 0 { return handle.addField("Content-Length: 0") }
            // libcurl would ask before it sends any body, and wait a second for servers that do not know the question.
            // A server that refuses a body need not read it, and its answer may be lost with the connection that it closes.
            let isLarge =
                request.mayBeRefused ? body.length ?? .max >= 64 << 10 : (body.length ?? 0) >= 1 << 20
            let expectation = request.headers["Expect"] ?? (isLarge && !isRefused ? "100-continue" : "")
            asksFirst = expectation.lowercased() == "100-continue"
            if expectation.isEmpty { handle.addField("Expect:") }
        }

        // MARK: What libcurl tells

        /// - Returns: Whether the request may go.
        func didConnect(_ connection: CurlSockets.Connection) -> Bool {
            // What the server got of the request, before the connection that was re-used ended, it may have obeyed.
            if isConnected, !isBeginningAgain, !request.isIdempotent, handle?.hasSent != false {
                failure = TransportFailure(
                    .connectionLost,
                    "the connection ended before an answer, and \(request.method) is not safe to send twice")
                return false
            }
            self.connection = connection
            let socket = sockets?.socket(of: connection)
            alert = nil
            // The handshake is over, unless this connection has ended and another one follows. In TLS 1.3 a server refuses
            // the client's certificate after it.
            if handle?.isReusing == false, !wantsCertificate { handle?.watchBytes(false) }
            lastLook = .now
            // libcurl 7.88 uses a kept connection also when bytes came that nobody asked for, and takes them for the
            // next answer; and one that a request could not be sent on, where OpenSSL still has that request.
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

        /// - Returns: Whether the response goes on.
        func didReceive(line: RawSpan) -> Bool {
            do {
                guard let response = try head.read(line) else { return true }
                if response.status == 417, asksFirst, !isBodySent {
                    // The server does not take `Expect`: the request goes again without it. libcurl 7.88 would send it
                    // on the same connection, also behind a part of the body.
                    head = ResponseHeadReader(limit: request.headerLimit)
                    request.headers["Expect"] = nil
                    (asksFirst, isRefused, needsFreshConnection) = (false, true, true)
                    return false
                }
                if let handle, upload != nil { didSend(handle.bytesSent) }
                rawBytesReceived = 0
                handle?.watchBytes()
                // After such an answer libcurl sends no more, but would wait for the body to go on.
                if response.status >= 300, isSendingPaused { inbox.post(.send(self)) }
                handler?.transportDidReceive(response)
                return true
            } catch {
                failure = error
                return false
            }
        }

        /// Whether libcurl has nothing of the body left to send.
        private var isBodySent: Bool {
            guard let length = request.body?.length else { return isReadWhole }
            return handle.map { $0.bytesSent >= length } ?? false
        }

        /// More came than belongs to the response.
        private func didReceiveSurplus() {
            if let connection { sockets?.forget(connection) }
        }

        /// What libcurl says about its work, or a copy of the bytes of a connection.
        func didHear(_ kind: curl_infotype, _ bytes: RawSpan) {
            func begins(with start: String) -> Bool {
                start.utf8.count <= bytes.byteCount
                    && start.utf8.enumerated().allSatisfy { bytes.byte(at: $0.offset) == $0.element }
            }
            switch kind {
            case CURLINFO_DATA_IN: rawBytesReceived += Int64(bytes.byteCount)
            // A message of the handshake: certificate_request (RFC 8446 §4).
            case CURLINFO_SSL_DATA_IN where bytes.byte(at: 0) == 13: wantsCertificate = true
            // An alert is its level and its description (RFC 8446 §6), and no other message has two bytes.
            case CURLINFO_SSL_DATA_IN where bytes.byteCount == 2: alert = bytes.byte(at: 1)
            // What came behind a response libcurl drops, but it keeps the connection, where more may come.
            case CURLINFO_TEXT where begins(with: "Excess found") || begins(with: "Leftovers after chunking"):
                didReceiveSurplus()
            default: break
            }
        }

        /// - Returns: Whether the bytes were taken; if not they come again after the pause.
        func didReceive(_ bytes: RawSpan) -> Bool {
            guard head.isWhole, !bytes.isEmpty else { return true }
            guard mayReceive else {
                isReceivingPaused = true
                return false
            }
            bytesReceived += Int64(bytes.byteCount)
            mayReceive = handler?.transportDidReceive(bytes) ?? true
            return true
        }

        /// - Returns: nil if the body cannot be sent.
        func read(into buffer: inout MutableRawSpan) -> BodyRead? {
            do {
                // libcurl asks for more when the system took all it had.
                tellSent(upload?.bytesRead ?? 0)
                let read = try upload?.read(into: &buffer) ?? .end
                switch read {
                case .bytes(let count) where request.body?.length == nil:
                    // The count in hexadecimal digits and two line ends.
                    bytesOfFraming += Int64(String(count, radix: 16).utf8.count + 4)
                case .wait:
                    isSendingPaused = true
                    upload?.whenReadable { [inbox] in inbox.post(.send(self)) }
                case .end: isReadWhole = true
                case .bytes: break
                }
                return read
            } catch {
                failure = error
                return nil
            }
        }

        /// Something may have happened.
        ///
        /// - Parameter bytes: of the body, as libcurl counts them, with the framing of chunks.
        func didProgress(sent bytes: Int64) {
            didSend(bytes)
            // libcurl tells of whole lines only. Informational responses, however many, are no progress.
            guard !head.isWhole, !head.isBehindInformation, let connection,
                let socket = sockets?.knownSocket(of: connection)
            else { return }
            let now = ContinuousClock.now
            guard now - lastLook >= .milliseconds(10) else { return }
            let silence = mk_curl_silence(socket)
            if silence >= 0, .milliseconds(silence) < now - lastLook { handler?.transportDidReceiveHeadBytes() }
            lastLook = now
        }

        private func didSend(_ bytes: Int64) {
            guard let upload else { return }
            tellSent(min(upload.bytesRead, bytes - bytesOfFraming))
        }

        /// - Returns: Whether the body can be sent again.
        func reopen() -> Bool {
            do {
                try openUpload()
                return true
            } catch {
                failure = error
                return false
            }
        }

        private func openUpload() throws(TransportFailure) {
            try upload?.open()
            (bytesOfFraming, isReadWhole, isSendingPaused) = (0, false, false)
            guard bytesSent > 0 else { return }
            bytesSent = 0
            handler?.transportDidSend(0)
        }

        private func tellSent(_ bytes: Int64) {
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
