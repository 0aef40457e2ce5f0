extension TransportRequest {
    /// What is sent for a request: checked, so that no header, method or URL can change the meaning of the message, and
    /// completed by the fields that the caller left out.
    ///
    /// User and password of the URL become basic authentication, as with curl, unless the caller sets `Authorization`.
    ///
    /// - Throws: `invalidURL`, `invalidMethod`, `invalidHeader`, `invalidBody`, `serverPublicKeyNotPinned`, or what was wrong when the request was made.
    init(checking request: RESTRequest) throws(TransportFailure) {
        if let mistake = request.mistake { throw TransportFailure(mistake) }
        guard request.method.rawValue.isToken else {
            throw TransportFailure(
                .invalidMethod, "the method '\(printable(request.method.rawValue))' is no token of HTTP")
        }
        guard request.method.rawValue != "CONNECT" else {
            throw TransportFailure(.invalidMethod, "CONNECT asks a proxy for a tunnel and has no response")
        }
        guard let url = request.url?.absoluteURL else {
            throw TransportFailure(.invalidURL, "the request has no URL")
        }
        if let mistake = url.mistakeForHTTP { throw TransportFailure(.invalidURL, mistake) }
        if request.body != nil, request.method == .get || request.method == .head {
            throw TransportFailure(
                .invalidBody, "\(request.method) has no body; pass values as the query, or use another method")
        }
        let body = request.body.map { Body(length: $0.length, open: $0.open) }
        self.init(
            method: request.method, url: url, headers: request.headers, body: body, headerLimit: request.limits.headers,
            tls: request.tls)
        proxy = try request.proxy.checked()
        try dropFraming()
        try takeCredentials()
        try checkPins()
        if let type = request.body?.contentType, headers["Content-Type"] == nil {
            headers.add(type, for: "Content-Type")
        }
        for field in headers { try Self.check(field) }
        if headers["Accept"] == nil { headers.add("*/*", for: "Accept") }
        if headers["Accept-Encoding"] == nil {
            headers.add(request.isDecoded ? "gzip, deflate" : "identity", for: "Accept-Encoding")
        }
        if headers["User-Agent"] == nil { headers.add("MappingKit/0.1", for: "User-Agent") }
    }

    /// Checks a request again that was changed after its first check.
    mutating func recheck() throws(TransportFailure) {
        guard method.rawValue.isToken, method.rawValue != "CONNECT" else {
            throw TransportFailure(.invalidMethod, "the method '\(printable(method.rawValue))' cannot be sent")
        }
        if let mistake = url.mistakeForHTTP { throw TransportFailure(.invalidURL, mistake) }
        if body != nil, method == .get || method == .head {
            throw TransportFailure(.invalidBody, "\(method) has no body; use another method")
        }
        try dropFraming()
        try takeCredentials()
        try checkPins()
        for field in headers { try Self.check(field) }
    }

    /// Moves user and password from the URL to the header.
    mutating func takeCredentials() throws(TransportFailure) {
        guard url.user(percentEncoded: true) != nil else { return }
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        guard let user = url.user(percentEncoded: false), let url = components?.url else {
            throw TransportFailure(.invalidURL, "the user in the URL is no text")
        }
        let password = self.url.password(percentEncoded: false) ?? ""
        self.url = url
        guard headers["Authorization"] == nil else { return }
        headers.add(try Login(user: user, password: password).checkedBasic(), for: "Authorization")
    }

    /// A key that is pinned is never taken for granted.
    func checkPins() throws(TransportFailure) {
        guard !tls.pinnedPublicKeys.isEmpty, !url.isSecure else { return }
        throw TransportFailure(
            .serverPublicKeyNotPinned, "a URL of http has no public key, and TLSOptions.pinnedPublicKeys want one")
    }

    /// Takes out the fields that transports write themselves, which may say nothing else than they will.
    private mutating func dropFraming() throws(TransportFailure) {
        for field in headers {
            let name = field.name.lowercased()
            let expected: [String]
            switch name {
            case "content-length": expected = body.map { $0.length.map { ["\($0)"] } ?? [] } ?? ["0"]
            case "transfer-encoding": expected = body != nil && body?.length == nil ? ["chunked"] : []
            case "host": expected = url.authorities
            case "connection": expected = ["keep-alive"]
            default: continue
            }
            guard expected.contains(field.value.lowercased()) else {
                throw TransportFailure(
                    .invalidHeader, "the header '\(field.name)' is made from the URL and the body; leave it out")
            }
            headers[name] = nil
        }
    }

    /// A field that stays one field when it is written down (RFC 9110 §5.1, §5.5).
    private static func check(_ field: HTTPHeaders.Field) throws(TransportFailure) {
        guard field.name.isToken else {
            throw TransportFailure(
                .invalidHeader, "a header is called '\(printable(field.name))', which is no token of HTTP")
        }
        guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
            throw TransportFailure(
                .invalidHeader, "the value of the header '\(field.name)' holds a line break or a NUL; remove it")
        }
    }
}

extension RESTRequest {
    /// Whether compression is our matter: the caller asks for no coding, and not for a range, whose bytes could not be
    /// decompressed.
    var isDecoded: Bool { headers["Accept-Encoding"] == nil && headers["Range"] == nil }
}

extension URL {
    /// Why it cannot be asked over HTTP; nil if it can.
    var mistakeForHTTP: String? {
        guard isHTTP else {
            return scheme.map { "the scheme '\($0)' is not http or https" }
                ?? "the URL has no scheme; begin with https://"
        }
        guard let host = host(percentEncoded: true), !host.isEmpty else { return "the URL has no host" }
        if let port, !(1...65535).contains(port) { return "the port \(port) is not between 1 and 65535" }
        return nil
    }

    /// Whether its scheme is one of HTTP's.
    var isHTTP: Bool {
        switch scheme?.lowercased() {
        case "http", "https": true
        default: false
        }
    }

    /// The port that is asked.
    var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }

    /// What `Host` may say.
    fileprivate var authorities: [String] {
        guard let host = host(percentEncoded: true)?.lowercased() else { return [] }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isDefault = effectivePort == (scheme?.lowercased() == "https" ? 443 : 80)
        return isDefault ? [name, "\(name):\(effectivePort)"] : ["\(name):\(effectivePort)"]
    }
}
