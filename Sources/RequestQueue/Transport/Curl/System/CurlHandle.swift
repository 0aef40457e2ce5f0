#if CURL
    import CMappingCurl

    /// An easy handle of libcurl, with the memory that its options need.
    ///
    /// Safe: the handle, its list of fields and its message are freed together with the object, which only the
    /// transport's thread uses; libcurl copies the texts and bytes of options; the loop retains the transfer and the
    /// sockets of callbacks as long as libcurl has the handle.
    @safe final class CurlHandle {
        let easy: UnsafeMutableRawPointer
        /// The first error of an option that libcurl rejected.
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
            unsafe self.easy = easy
            unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        }

        deinit {
            unsafe curl_easy_cleanup(easy)
            unsafe curl_slist_free_all(list)
            unsafe message.deallocate()
        }

        /// Resets all options.
        func reset() {
            unsafe curl_easy_reset(easy)
            removeFields()
            unsafe message.pointee = 0
            refusal = CURLE_OK
        }

        func set(_ option: CURLoption, _ value: Int) { unsafe record(mk_curl_set_long(easy, option, value)) }

        func set(_ option: CURLoption, _ value: String?) { unsafe record(mk_curl_set_string(easy, option, value)) }

        func set(_ option: CURLoption, _ value: Data) {
            unsafe record(value.withUnsafeBytes { unsafe mk_curl_set_bytes(easy, option, $0.baseAddress, $0.count) })
        }

        /// Adds a header field, given as a line.
        func addField(_ line: String) {
            guard let longer = unsafe curl_slist_append(list, line) else { return record(CURLE_OUT_OF_MEMORY) }
            unsafe list = longer
        }

        /// Removes all header fields.
        func removeFields() {
            unsafe curl_slist_free_all(list)
            unsafe list = nil
        }

        /// Uses the added header fields.
        func useFields() { record(unsafe mk_curl_set_fields(easy, list)) }

        /// Sets the options of all requests, and the callbacks.
        ///
        /// - Parameter sockets: The sockets, which must live as long as the multi handle.
        func setUp(for transfer: CurlTransfer, _ sockets: CurlSockets) {
            let table = unsafe Unmanaged.passUnretained(sockets).toOpaque()
            record(unsafe mk_curl_set_up(easy, transfer.pointer, table, message, CurlCallbacks.all))
            set(CURLOPT_NOPROGRESS, 0)
            useFields()
            // A download needs a third less CPU than with libcurl's 16 KiB; the allocator still reuses blocks of this
            // size.
            set(CURLOPT_BUFFERSIZE, 100 << 10)
            set(CURLOPT_NOSIGNAL, 1)
            set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
            set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            // Timeouts are implemented above the transport; libcurl's connect timeout cannot be disabled.
            set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        }

        /// Sets the options of requests with a body, whose length may be known.
        func setUpBody(of length: Int64?, for transfer: CurlTransfer) {
            record(unsafe mk_curl_set_up_body(easy, transfer.pointer, CurlCallbacks.all, curl_off_t(length ?? -1)))
            set(CURLOPT_UPLOAD, 1)
            // A body of 1 GiB takes 8 % less time with 1 MiB than with 256 KiB, because the thread that reports progress is
            // woken a quarter as often.
            let limit: Int64 = (length ?? 0) >= 64 << 20 ? 1 << 20 : 256 << 10
            let buffer = Int(min(max(length ?? .max, 16 << 10), limit))
            set(CURLOPT_UPLOAD_BUFFERSIZE, buffer)
            isLarge = isLarge || buffer > 16 << 10
        }

        /// Reports every received byte to the transfer, including handshakes and bytes beyond the declared length.
        func watchBytes(_ isWatching: Bool = true) { set(CURLOPT_VERBOSE, isWatching ? 1 : 0) }

        /// Returns libcurl's text for a failure.
        func text(of code: CURLcode) -> String {
            let (general, text) = unsafe (String(cString: curl_easy_strerror(code)), String(cString: message))
            // Some messages repeat the general text at the end.
            let repeated = ": " + general
            return text.isEmpty ? general : text.hasSuffix(repeated) ? String(text.dropLast(repeated.count)) : text
        }

        /// The system's error number for the last connection.
        var systemError: Int32 { Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)) }

        /// OpenSSL's verification result for the server's certificate; 1 if verification did not complete.
        var verifyResult: Int { number(CURLINFO_SSL_VERIFYRESULT) }

        /// Whether it reuses a connection.
        var isReusing: Bool { number(CURLINFO_NUM_CONNECTS) == 0 }

        /// Whether a byte of the request, or of a request to the proxy, was sent.
        var hasSent: Bool { number(CURLINFO_REQUEST_SIZE) > 0 }

        /// Whether OpenSSL has buffered unexpected bytes of the connection.
        var hasPendingBytes: Bool { unsafe mk_curl_has_pending(easy, Self.hasPending) != 0 }

        private static let hasPending = unsafe mk_curl_find_has_pending()

        /// The status of the proxy's response to CONNECT; 0 without one.
        var proxyStatus: Int { number(CURLINFO_HTTP_CONNECTCODE) }

        /// The durations of the phases of the last transfer.
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

        /// The bytes of the body, including framing, that the system accepted.
        var bytesSent: Int64 { unsafe Int64(mk_curl_offset(easy, CURLINFO_SIZE_UPLOAD_T)) }

        /// Pauses all but the given directions.
        func pause(receiving: Bool, sending: Bool) -> CURLcode {
            unsafe curl_easy_pause(easy, (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0))
        }

        private func number(_ info: CURLINFO) -> Int { unsafe mk_curl_long(easy, info) }

        private func record(_ code: CURLcode) {
            if refusal == CURLE_OK { refusal = code }
        }
    }
#endif
