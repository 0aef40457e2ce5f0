#if CURL
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
