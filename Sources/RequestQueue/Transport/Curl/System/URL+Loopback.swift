#if CURL
    extension URL {
        /// Whether its host is this machine by name or address; no proxy could reach what is meant.
        var isLoopback: Bool {
            guard let host = host() else { return false }
            var address = in_addr()
            let isAddress = unsafe inet_aton(host, &address) != 0
            return host == "localhost" || host == "::1" || host == "[::1]"
                || isAddress && UInt32(bigEndian: address.s_addr) >> 24 == 127
        }
    }
#endif
