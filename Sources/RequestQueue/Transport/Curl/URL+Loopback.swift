#if CURL
    extension URL {
        /// Whether its host is this machine by name or address; no proxy could reach what is meant.
        var isLoopback: Bool {
            guard let host = host() else { return false }
            return host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
        }
    }
#endif
