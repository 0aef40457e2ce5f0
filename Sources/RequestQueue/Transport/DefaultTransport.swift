/// The default transport of clients: libcurl on Linux, URLSession on Apple platforms.
#if CURL
    package let defaultTransport: any Transport = CurlTransport.shared
#else
    package let defaultTransport: any Transport = URLSessionTransport.shared
#endif
