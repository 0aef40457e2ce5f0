#if CURL
    import CMappingCurl

    extension CurlTransfer {
        /// The pointer for libcurl's callbacks, valid between `retainSelf()` and `releaseSelf()`.
        var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

        /// Retains the transfer while libcurl has its pointer.
        func retainSelf() { _ = unsafe Unmanaged.passRetained(self) }

        /// Releases one `retainSelf()`.
        func releaseSelf() { unsafe Unmanaged.passUnretained(self).release() }

        /// Returns the transfer of a callback's pointer.
        static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
            unsafe pointer.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
        }
    }

    extension CurlSockets {
        /// Returns the sockets of a callback's pointer.
        static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlSockets? {
            unsafe pointer.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// Texts of libcurl.
    enum CurlText {
        /// The name and version of the TLS library.
        static var tlsLibrary: String { unsafe String(cString: mk_curl_tls_library()) }
        /// The path of the certificates that the system trusts; empty if libcurl knows none.
        static var authorities: String { unsafe mk_curl_authorities().map { unsafe String(cString: $0) } ?? "" }
    }

    /// Reads bytes of a file that the system has in memory; returns -1 instead of waiting for others.
    func readCachedBytes(_ descriptor: Int32, into buffer: inout MutableRawSpan, at offset: Int64) -> Int {
        unsafe buffer.withUnsafeMutableBytes {
            unsafe mk_read_cached(descriptor, $0.baseAddress, $0.count, off_t(offset))
        }
    }

    extension URL {
        /// Whether the host is this machine by name or address, which a proxy cannot reach.
        var isLoopback: Bool {
            guard let host = host() else { return false }
            var address = in_addr()
            let isAddress = unsafe inet_aton(host, &address) != 0
            return host == "localhost" || host == "::1" || host == "[::1]"
                || isAddress && UInt32(bigEndian: address.s_addr) >> 24 == 127
        }
    }
#endif
