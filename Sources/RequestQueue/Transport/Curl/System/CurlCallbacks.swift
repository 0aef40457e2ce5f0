#if CURL
    import CMappingCurl

    /// The callbacks for libcurl, called on the transport's thread with the transfer or the sockets.
    ///
    /// Safe: a transfer is retained while libcurl has its pointer, the sockets live as long as the loop, and bytes are
    /// valid during the call.
    enum CurlCallbacks {
        @safe static let all = unsafe mk_curl_callbacks(
            open: open, close: close, connected: connected, header: header, write: write, read: read, seek: seek,
            debug: debug, progress: progress)

        private static let open: curl_opensocket_callback = { transfer, _, address in
            guard let transfer = unsafe CurlTransfer.at(transfer), let address = unsafe address else {
                return CURL_SOCKET_BAD
            }
            return transfer.mayConnect()
                ? unsafe transfer.connection.sockets?.open(address) ?? CURL_SOCKET_BAD : CURL_SOCKET_BAD
        }

        private static let close: curl_closesocket_callback = { sockets, socket in
            unsafe CurlSockets.at(sockets)?.close(socket) ?? -1
        }

        private static let connected: curl_prereq_callback = { transfer, host, _, port, localPort in
            guard let transfer = unsafe CurlTransfer.at(transfer), let host = unsafe host else {
                return CURL_PREREQFUNC_ABORT
            }
            let connection = unsafe CurlSockets.Connection(
                localPort: localPort, host: String(cString: host), port: port)
            return transfer.didConnect(connection) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }

        private static let header: curl_write_callback = { bytes, size, count, transfer in
            guard let transfer = unsafe CurlTransfer.at(transfer) else { return 0 }
            let line = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: size * count))
            return transfer.didReceive(line: line) ? line.byteCount : 0
        }

        private static let write: curl_write_callback = { bytes, size, count, transfer in
            guard let transfer = unsafe CurlTransfer.at(transfer) else { return 0 }
            let piece = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: size * count))
            return transfer.didReceive(piece) ? piece.byteCount : Int(CURL_WRITEFUNC_PAUSE)
        }

        private static let read: curl_read_callback = { buffer, size, count, transfer in
            guard let transfer = unsafe CurlTransfer.at(transfer) else { return Int(CURL_READFUNC_ABORT) }
            var room = unsafe MutableRawSpan(
                _unsafeBytes: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
            switch transfer.read(into: &room) {
            case .bytes(let count): return count
            case .wait: return Int(CURL_READFUNC_PAUSE)
            case .end: return 0
            case nil: return Int(CURL_READFUNC_ABORT)
            }
        }

        private static let seek: curl_seek_callback = { transfer, offset, origin in
            guard let transfer = unsafe CurlTransfer.at(transfer), offset == 0, origin == SEEK_SET else {
                return CURL_SEEKFUNC_FAIL
            }
            return transfer.reopen() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }

        private static let debug: curl_debug_callback = { _, kind, bytes, count, transfer in
            guard let transfer = unsafe CurlTransfer.at(transfer), count > 0 else { return 0 }
            unsafe transfer.connection.didReceiveDebugInfo(
                kind, RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: count)))
            return 0
        }

        private static let progress: curl_xferinfo_callback = { transfer, _, _, _, sent in
            unsafe CurlTransfer.at(transfer)?.didProgress(sent: Int64(sent))
            return 0
        }
    }
#endif
