#if CURL
    import CCurl

    /// An easy handle of libcurl, with what has to live as long as its options.
    ///
    /// Safe: the handle, its list of fields and its message are freed with the object alone, and it is used by the
    /// transport's thread alone; libcurl copies the texts and bytes of options; the loop keeps the transfer and the sockets
    /// that callbacks are given as long as libcurl has the handle.
    @safe final class CurlHandle {
        let easy: UnsafeMutableRawPointer
        /// Why an option was not taken.
        private(set) var refusal = CURLE_OK
        /// Whether it has a buffer for large bodies.
        private(set) var isLarge = false
        private var list: UnsafeMutablePointer<curl_slist>?
        private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

        init?() {
            guard let easy = unsafe curl_easy_init() else {
                unsafe message.deallocate()
                return nil
            }
            unsafe self.easy = unsafe easy
            unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        }

        deinit {
            unsafe curl_easy_cleanup(easy)
            unsafe curl_slist_free_all(list)
            unsafe message.deallocate()
        }

        /// Takes all options back.
        func reset() {
            unsafe curl_easy_reset(easy)
            removeFields()
            unsafe message.pointee = 0
            refusal = CURLE_OK
        }

        func set(_ option: CURLoption, _ value: Int) { unsafe note(mk_curl_set_long(easy, option, value)) }

        func set(_ option: CURLoption, _ value: String?) { unsafe note(mk_curl_set_string(easy, option, value)) }

        func set(_ option: CURLoption, _ value: Data) {
            unsafe note(value.withUnsafeBytes { unsafe mk_curl_set_bytes(easy, option, $0.baseAddress, $0.count) })
        }

        /// Sends a header field, given as a line.
        func addField(_ line: String) {
            guard let longer = unsafe curl_slist_append(list, line) else { return note(CURLE_OUT_OF_MEMORY) }
            unsafe list = unsafe longer
        }

        /// Takes back all header fields, until others are used.
        func removeFields() {
            unsafe curl_slist_free_all(list)
            unsafe list = nil
        }

        /// Sends the header fields that were added.
        func useFields() { note(unsafe mk_curl_set_fields(easy, list)) }

        /// Sets what every request has, and who is told what happens.
        ///
        /// - Parameter sockets: lives as long as the multi handle.
        func setUp(for transfer: CurlTransfer, _ sockets: CurlSockets) {
            let table = unsafe Unmanaged.passUnretained(sockets).toOpaque()
            note(unsafe mk_curl_set_up(easy, transfer.pointer, table, message, CurlCallbacks.all))
            set(CURLOPT_NOPROGRESS, 0)
            useFields()
            // A download takes a third less work than with libcurl's 16 KiB; the allocator still keeps such a piece.
            set(CURLOPT_BUFFERSIZE, 100 << 10)
            set(CURLOPT_NOSIGNAL, 1)
            set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
            set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            // Time-outs are another's; libcurl's own for a connection cannot be switched off.
            set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        }

        /// Sets what a request with a body has: bytes if they are known.
        func setUpBody(of length: Int64?, for transfer: CurlTransfer) {
            note(unsafe mk_curl_set_up_body(easy, transfer.pointer, CurlCallbacks.all, curl_off_t(length ?? -1)))
            set(CURLOPT_UPLOAD, 1)
            let buffer = Int(min(max(length ?? .max, 16 << 10), 256 << 10))
            set(CURLOPT_UPLOAD_BUFFERSIZE, buffer)
            isLarge = isLarge || buffer > 16 << 10
        }

        /// Tells the transfer from now on of every byte that comes, also of a handshake's and of those beyond the declared
        /// length.
        func watchBytes(_ isWatching: Bool = true) { set(CURLOPT_VERBOSE, isWatching ? 1 : 0) }

        /// What libcurl says of a failure.
        func text(of code: CURLcode) -> String {
            unsafe String(cString: message.pointee == 0 ? curl_easy_strerror(code) : UnsafePointer(message))
        }

        /// The error number of the system that made the last connection fail.
        var systemError: Int32 { Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)) }

        /// OpenSSL's number of what it found of the server's certificate; 1 if the certificate was not looked at wholly.
        var verifyResult: Int { number(CURLINFO_SSL_VERIFYRESULT) }

        /// Whether it uses a connection that another request had used.
        var isReusing: Bool { number(CURLINFO_NUM_CONNECTS) == 0 }

        /// Whether any byte of the request was sent, or of one to a proxy on its way.
        var hasSent: Bool { number(CURLINFO_REQUEST_SIZE) > 0 }

        /// Whether OpenSSL has read bytes of its connection that nobody asked for.
        var hasPendingBytes: Bool { unsafe mk_curl_has_pending(easy, Self.hasPending) != 0 }

        private static let hasPending = unsafe mk_curl_find_has_pending()

        /// The status with which a proxy answered CONNECT; 0 for none.
        var proxyStatus: Int { number(CURLINFO_HTTP_CONNECTCODE) }

        /// The durations of the parts of the last transfer.
        var metrics: RequestMetrics {
            var metrics = RequestMetrics()
            metrics.nameLookup = duration(CURLINFO_NAMELOOKUP_TIME_T)
            metrics.connect = duration(CURLINFO_CONNECT_TIME_T)
            let secure = duration(CURLINFO_APPCONNECT_TIME_T)
            metrics.secureConnect = secure == .zero ? nil : secure
            metrics.firstByte = duration(CURLINFO_STARTTRANSFER_TIME_T)
            metrics.isConnectionReused = isReusing
            return metrics
        }

        private func duration(_ info: CURLINFO) -> Duration {
            unsafe .microseconds(Int64(mk_curl_offset(easy, info)))
        }

        /// Bytes of the body, with their framing, that the system has taken.
        var bytesSent: Int64 { unsafe Int64(mk_curl_offset(easy, CURLINFO_SIZE_UPLOAD_T)) }

        /// Lets bytes flow but in the given directions.
        func pause(receiving: Bool, sending: Bool) -> CURLcode {
            unsafe curl_easy_pause(easy, (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0))
        }

        private func number(_ info: CURLINFO) -> Int { unsafe mk_curl_long(easy, info) }

        private func note(_ code: CURLcode) {
            if refusal == CURLE_OK { refusal = code }
        }
    }
#endif
