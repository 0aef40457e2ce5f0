#if CURL
    import CMappingCurl

    /// The callbacks of libcurl.
    extension CurlTransfer {
        /// - Returns: Whether a connection may be established, and a body be read from its beginning.
        func mayConnect() -> Bool {
            if connection.isRepeating(handle) {
                if let handle { didSend(handle.bytesSent) }
                failure = .staleConnection
            }
            return failure == nil
        }

        /// - Returns: Whether the request may be sent.
        func didConnect(_ connection: CurlSockets.Connection) -> Bool {
            guard mayConnect() else { return false }
            let (isAccepted, isFirst) = self.connection.take(
                connection, of: handle, keepsUnread: upload.stream != nil && !request.url.isSecure)
            if isFirst { handler?.transportDidConnect() }
            return isAccepted
        }

        /// - Returns: Whether to continue with the response.
        func didReceive(line: RawSpan) -> Bool {
            do {
                guard let response = try head.read(line) else {
                    if head.isAfterInformationalHead { handler?.transportDidReceiveHeadBytes() }
                    return true
                }
                if response.status == 417, upload.expectsContinue, !upload.isSent(handle) {
                    // The server rejects `Expect`: the request is sent again without it. libcurl 7.88 would send it on
                    // the same connection, possibly after a part of the body.
                    head = ResponseHeadReader(limit: request.headerLimit)
                    request.headers["Expect"] = nil
                    upload.refuse()
                    connection.reject()
                    return false
                }
                if head.hasTwoLengths { handle?.set(CURLOPT_FORBID_REUSE, 1) }
                if let handle, upload.stream != nil { didSend(handle.bytesSent) }
                connection.endHead()
                handle?.watchBytes()
                // After such a response libcurl sends no more, but waits for the body to resume.
                if response.status >= 300, upload.isPaused { inbox.post(.send(self)) }
                handler?.transportDidReceive(response)
                return true
            } catch {
                failure = error
                return false
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
                if let bytes = upload.report(upload.bytesReturned) { handler?.transportDidSend(bytes) }
                let read = try upload.stream?.read(into: &buffer) ?? .end
                upload.didRead(read)
                if read == .wait { upload.stream?.whenReadable { [inbox] in inbox.post(.send(self)) } }
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
            if !head.isComplete, connection.hasReceivedBytes() { handler?.transportDidReceiveHeadBytes() }
        }

        private func didSend(_ bytes: Int64) {
            if let bytes = upload.report(withFraming: bytes) { handler?.transportDidSend(bytes) }
        }

        /// - Returns: Whether the body can be sent again.
        func reopen() -> Bool {
            guard mayConnect() else { return false }
            do { try openBody() } catch {
                failure = error
                return false
            }
            return true
        }

        func openBody() throws(TransportFailure) {
            if try upload.begin(request.body?.opened()) { handler?.transportDidSend(0) }
        }

        // MARK: Pauses

        func resumeReceiving() -> CURLcode {
            mayReceive = true
            guard isReceivingPaused, let handle else { return CURLE_OK }
            isReceivingPaused = false
            return handle.pause(receiving: false, sending: upload.isPaused)
        }

        func resumeSending() -> CURLcode {
            guard upload.isPaused, let handle else { return CURLE_OK }
            upload.isPaused = false
            return handle.pause(receiving: isReceivingPaused, sending: false)
        }
    }
#endif
