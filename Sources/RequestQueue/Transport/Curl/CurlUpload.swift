#if CURL
    /// The body that a transfer sends, and what of it was sent.
    struct CurlUpload {
        /// The declared length; `nil` for a body in chunks.
        let length: Int64?
        /// The body, when it was opened.
        private(set) var stream: CheckedStream?
        /// Whether the body is sent after the server accepts it (`Expect: 100-continue`).
        var expectsContinue = false
        /// Whether the server rejected `Expect`, and with it the request.
        private(set) var isRefused = false
        var isPaused = false
        /// The number of bytes that libcurl added to a chunked body.
        private var bytesOfFraming: Int64 = 0
        /// The number of body bytes that were reported to the handler.
        private var bytesReported: Int64 = 0

        init(length: Int64?) { self.length = length }

        /// The number of bytes that the stream has returned.
        var bytesReturned: Int64 { stream?.bytesReturned ?? 0 }

        /// Starts again with a stream at the beginning of the body.
        ///
        /// - Returns: Whether bytes were reported as sent, which do not count any more.
        mutating func begin(_ stream: CheckedStream?) -> Bool {
            self.stream = stream
            defer { (bytesOfFraming, isPaused, bytesReported) = (0, false, 0) }
            return bytesReported > 0
        }

        /// The server rejected `Expect`: the request is sent again without it.
        mutating func refuse() { (expectsContinue, isRefused) = (false, true) }

        /// Releases the body.
        mutating func end() { stream = nil }

        /// Counts what was read from the stream.
        mutating func didRead(_ read: BodyRead) {
            switch read {
            case .bytes(let count) where length == nil:
                // The count in hexadecimal digits and two line breaks.
                bytesOfFraming += Int64(String(count, radix: 16).utf8.count + 4)
            case .wait: isPaused = true
            case .bytes, .end: break
            }
        }

        /// Returns the number of sent bytes if it has increased.
        mutating func report(_ bytes: Int64) -> Int64? {
            guard bytes > bytesReported else { return nil }
            bytesReported = bytes
            return bytes
        }

        /// Returns the number of sent bytes if it has increased.
        ///
        /// - Parameter bytes: The bytes as counted by libcurl, including the framing of chunks.
        mutating func report(withFraming bytes: Int64) -> Int64? {
            stream.flatMap { report(min($0.bytesReturned, bytes - bytesOfFraming)) }
        }

        /// Whether libcurl has sent the whole body.
        func isSent(_ handle: CurlHandle?) -> Bool {
            guard let length else { return stream?.isAtEnd == true }
            return handle.map { $0.bytesSent >= length } ?? false
        }
    }
#endif
