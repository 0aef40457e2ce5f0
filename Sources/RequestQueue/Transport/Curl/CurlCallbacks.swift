#if CURL
    import CCurl

    /// The functions that libcurl calls, on the transport's thread, with the transfer or the sockets they are about.
    enum CurlCallbacks {
        static let open: curl_opensocket_callback = { sockets, _, address in
            guard let sockets, let address else { return CURL_SOCKET_BAD }
            return Unmanaged<CurlSockets>.fromOpaque(sockets).takeUnretainedValue().open(address)
        }

        static let close: curl_closesocket_callback = { sockets, socket in
            guard let sockets else { return -1 }
            return Unmanaged<CurlSockets>.fromOpaque(sockets).takeUnretainedValue().close(socket)
        }

        static let connected: curl_prereq_callback = { transfer, host, _, port, localPort in
            guard let transfer, let host else { return CURL_PREREQFUNC_ABORT }
            let connection = CurlSockets.Connection(localPort: localPort, host: String(cString: host), port: port)
            return CurlTransfer.at(transfer).didConnect(connection) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }

        static let header: curl_write_callback = { bytes, size, count, transfer in
            guard let bytes, let transfer else { return 0 }
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlTransfer.at(transfer).didReceive(line: line) ? line.count : 0
        }

        static let write: curl_write_callback = { bytes, size, count, transfer in
            guard let bytes, let transfer else { return 0 }
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlTransfer.at(transfer).didReceive(piece) ? piece.count : Int(CURL_WRITEFUNC_PAUSE)
        }

        static let read: curl_read_callback = { buffer, size, count, transfer in
            guard let buffer, let transfer else { return Int(CURL_READFUNC_ABORT) }
            switch CurlTransfer.at(transfer).read(
                into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
            {
            case .bytes(let count): return count
            case .wait: return Int(CURL_READFUNC_PAUSE)
            case .end: return 0
            case nil: return Int(CURL_READFUNC_ABORT)
            }
        }

        static let seek: curl_seek_callback = { transfer, offset, origin in
            guard let transfer, offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
            return CurlTransfer.at(transfer).reopen() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }

        static let debug: curl_debug_callback = { _, kind, bytes, count, transfer in
            guard let transfer, let bytes, count > 0 else { return 0 }
            func has(_ start: StaticString) -> Bool {
                start.utf8CodeUnitCount <= count && memcmp(bytes, start.utf8Start, start.utf8CodeUnitCount) == 0
            }
            switch kind {
            case CURLINFO_DATA_IN: CurlTransfer.at(transfer).didReceiveRaw(count)
            // A message of the handshake: certificate_request (RFC 8446 §4).
            case CURLINFO_SSL_DATA_IN where bytes.pointee == 13: CurlTransfer.at(transfer).didWantCertificate()
            // An alert is its level and its description (RFC 8446 §6), and no other message has two bytes.
            case CURLINFO_SSL_DATA_IN where count == 2:
                CurlTransfer.at(transfer).didReceive(alert: UInt8(bitPattern: bytes[1]))
            // What came behind a response libcurl drops, but it keeps the connection, where more may come.
            case CURLINFO_TEXT where has("Excess found") || has("Leftovers after chunking"):
                CurlTransfer.at(transfer).didReceiveSurplus()
            default: break
            }
            return 0
        }

        static let progress: curl_xferinfo_callback = { transfer, _, _, _, sent in
            if let transfer { CurlTransfer.at(transfer).didProgress(sent: Int64(sent)) }
            return 0
        }
    }
#endif
