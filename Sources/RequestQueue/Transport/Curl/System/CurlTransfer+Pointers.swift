#if CURL
    import CCurl

    extension CurlTransfer {
        /// The pointer that libcurl passes to callbacks, valid between `keep()` and `letGo()`.
        var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

        /// Keeps the transfer while libcurl has its pointer.
        func keep() { _ = unsafe Unmanaged.passRetained(self) }

        /// Takes back one `keep()`.
        func letGo() { unsafe Unmanaged.passUnretained(self).release() }

        /// The transfer that a pointer of a callback is for.
        static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
            unsafe pointer.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
        }
    }

    extension CurlSockets {
        /// The sockets that a pointer of a callback is for.
        static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlSockets? {
            unsafe pointer.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
        }
    }

    extension String {
        /// A copy of a text of libcurl's that lasts as long as the process.
        ///
        /// Safe: no text but that of a named case can be read.
        init(_ text: CurlText) {
            switch text {
            case .tlsLibrary: self = unsafe String(cString: mk_curl_tls_library())
            case .authorities: self = unsafe mk_curl_authorities().map { unsafe String(cString: $0) } ?? ""
            }
        }
    }

    /// What libcurl was built with.
    enum CurlText {
        /// The name and version of its TLS library.
        case tlsLibrary
        /// The path of the file of authorities; empty if there is none.
        case authorities
    }
#endif
