#if CURL
    import CMappingCurl

    /// The connection of a transfer, which carries one request of HTTP/1 at a time.
    ///
    /// Detects connections that must not be used, or not be used again, and bytes that libcurl does not report.
    struct HTTP1Guard {
        private(set) var sockets: CurlSockets?
        private var connection: CurlSockets.Connection? {
            didSet { if let oldValue { _ = sockets?.takeUnread(of: oldValue) } }
        }
        /// Whether a connection was established.
        private(set) var isConnected = false
        /// Whether the request is repeated intentionally, and not because a connection closed.
        private var isRestarting = false
        /// Whether the connection chosen by libcurl must not be used.
        private(set) var needsFreshConnection = false
        /// Whether the server requested a client certificate during the handshake.
        private(set) var wantsCertificate = false
        /// The last TLS alert since the connection was established.
        private(set) var alert: UInt8?
        /// The time of the last check for bytes of the head.
        private var lastCheck = ContinuousClock.now
        /// The number of bytes received after the head.
        private var rawBytesReceived: Int64 = 0

        /// Begins a transfer with the sockets of its transport.
        mutating func begin(_ sockets: CurlSockets) { self.sockets = sockets }

        /// Ends the transfer.
        mutating func end() { connection = nil }

        // MARK: Connecting

        /// Whether libcurl sends the request again, because a reused connection closed before a response.
        ///
        /// The server may have processed what it received, so this is decided above the transport.
        func isRepeating(_ handle: CurlHandle?) -> Bool { isConnected && !isRestarting && handle?.hasSent == true }

        /// Rejects the connection: the request is sent on another one.
        mutating func reject() { needsFreshConnection = true }

        /// Prepares for another connection.
        mutating func restart() {
            (needsFreshConnection, isRestarting) = (false, true)
            (connection, alert) = (nil, nil)
        }

        /// Takes the connection that libcurl has chosen.
        ///
        /// - Parameter keepsUnread: Whether its unread bytes are kept when it closes.
        /// - Returns: Whether the request may be sent, and whether it is the first connection of the transfer.
        mutating func take(
            _ connection: CurlSockets.Connection, of handle: CurlHandle?, keepsUnread: Bool
        ) -> (isAccepted: Bool, isFirst: Bool) {
            self.connection = connection
            let socket = sockets?.socket(of: connection)
            if keepsUnread { sockets?.keepUnread(of: connection) }
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
                if needsFreshConnection { return (false, false) }
            }
            defer { isConnected = true }
            return (true, !isConnected)
        }

        // MARK: Bytes

        /// Handles libcurl's log, or copies of the bytes of a connection.
        mutating func didReceiveDebugInfo(_ kind: curl_infotype, _ bytes: RawSpan) {
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
                forget()
            default: break
            }
        }

        /// The head of the final response has ended.
        mutating func endHead() { rawBytesReceived = 0 }

        /// Whether more bytes were received after the head than its declared length.
        func exceeds(_ length: Int64) -> Bool { rawBytesReceived > length }

        /// Returns whether bytes of a head were received since the last check, of which libcurl reports complete lines only.
        mutating func hasReceivedBytes() -> Bool {
            guard let connection, let socket = sockets?.knownSocket(of: connection) else { return false }
            let now = ContinuousClock.now
            guard now - lastCheck >= .milliseconds(10) else { return false }
            let silence = mk_curl_silence(socket)
            defer { lastCheck = now }
            return silence >= 0 && .milliseconds(silence) < now - lastCheck
        }

        /// Does not use the connection for later requests.
        func forget() { if let connection { sockets?.forget(connection) } }

        /// Removes and returns the bytes that libcurl did not read before the connection closed.
        func takeUnread() -> [UInt8] { connection.flatMap { sockets?.takeUnread(of: $0) } ?? [] }
    }
#endif
