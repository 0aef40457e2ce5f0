#if CURL
    import CCurl

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

    extension String {
        /// Copies a text of libcurl that lasts as long as the process.
        ///
        /// Safe: only the texts of the named cases can be read.
        init(_ text: CurlText) {
            switch text {
            case .tlsLibrary: self = unsafe String(cString: mk_curl_tls_library())
            case .authorities: self = unsafe mk_curl_authorities().map { unsafe String(cString: $0) } ?? ""
            }
        }
    }

    /// Build information of libcurl.
    enum CurlText {
        /// The name and version of its TLS library.
        case tlsLibrary
        /// The path of the file with authorities; empty if there is no such file.
        case authorities
    }
#endif
