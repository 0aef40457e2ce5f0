extension TransportRequest {
    /// Validates a request and adds the header fields that the caller omitted.
    ///
    /// The validation ensures that no header field, method or URL can change the meaning of the message. User name and
    /// password in the URL are sent as basic authentication, as in curl, unless the caller sets `Authorization`.
    ///
    /// - Throws: `invalidURL`, `invalidMethod`, `invalidHeader`, `invalidBody`, `serverPublicKeyNotPinned`, or the
    ///   error that occurred when the request was created.
    init(checking request: RESTRequest) throws(TransportFailure) {
        if let error = request.buildError { throw TransportFailure(error) }
        guard let url = request.url?.absoluteURL else {
            throw TransportFailure(.invalidURL, "the request has no URL")
        }
        let body = request.body.map { Body(length: $0.length, open: $0.open) }
        self.init(
            method: request.method, url: url, headers: request.headers, body: body, headerLimit: request.limits.headers,
            tls: request.tls)
        proxy = try request.proxy.checked()
        try check()
        if let type = request.body?.contentType { try setContentType(ofBody: type) }
        headers.reserveCapacity(headers.fields.count + 3)
        if headers["Accept"] == nil, !request.omitsAccept { headers.add("*/*", for: "Accept") }
        if headers["Accept-Encoding"] == nil {
            headers.add(request.isDecoded ? "gzip, deflate" : "identity", for: "Accept-Encoding")
        }
        if headers["User-Agent"] == nil { headers.add("MappingKit/0.1", for: "User-Agent") }
    }

    /// Validates the request, also after an adapter changed it; removes redundant header fields, and moves credentials
    /// from the URL to the header.
    mutating func check() throws(TransportFailure) {
        guard method.rawValue.isToken else {
            throw TransportFailure(
                .invalidMethod, "the method '\(printable(method.rawValue))' is not a valid HTTP token")
        }
        guard method.rawValue != "CONNECT" else {
            throw TransportFailure(.invalidMethod, "CONNECT is not supported; it opens a tunnel through a proxy")
        }
        if let reason = url.reasonForRejection { throw TransportFailure(.invalidURL, reason) }
        if body != nil, method == .get || method == .head {
            throw TransportFailure(
                .invalidBody, "\(method) has no body; pass values as the query, or use another method")
        }
        try dropFraming()
        try takeCredentials()
        try checkPins()
        for field in headers { try Self.check(field) }
    }

    /// Moves user name and password from the URL to the header.
    mutating func takeCredentials() throws(TransportFailure) {
        guard url.user(percentEncoded: true) != nil else { return }
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        guard let user = url.user(percentEncoded: false), let url = components?.url else {
            throw TransportFailure(.invalidURL, "the user name in the URL is not valid UTF-8")
        }
        let password = self.url.password(percentEncoded: false) ?? ""
        self.url = url
        guard headers["Authorization"] == nil else { return }
        headers.add(try Login(user: user, password: password).checkedBasic(), for: "Authorization")
    }

    /// Requires TLS if public keys are pinned.
    func checkPins() throws(TransportFailure) {
        guard !tls.pinnedPublicKeys.isEmpty, !url.isSecure else { return }
        throw TransportFailure(
            .serverPublicKeyNotPinned, "TLSOptions.pinnedPublicKeys requires an https URL")
    }

    /// Adds the content type of the body, unless the caller set one; to that of a multipart body, its boundary.
    private mutating func setContentType(ofBody type: String) throws(TransportFailure) {
        guard let own = headers["Content-Type"] else { return headers.add(type, for: "Content-Type") }
        // The parts of a multipart body cannot be found without its boundary.
        let (needed, given) = (MediaType(type), MediaType(own))
        guard needed.name.hasPrefix("multipart/"), let boundary = needed.parameters["boundary"],
            given.parameters["boundary"] != boundary
        else { return }
        guard given.name.hasPrefix("multipart/"), given.parameters["boundary"] == nil else {
            throw TransportFailure(
                .invalidHeader,
                "the header 'Content-Type' is '\(printable(own))', but the body is '\(type)'; remove the header")
        }
        headers["Content-Type"] = "\(own); boundary=" + (boundary.isToken ? boundary : "\"\(boundary)\"")
    }

    /// Removes the fields that transports set; they must have the values that transports will send.
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
                    .invalidHeader, "the header '\(field.name)' is set from the URL and the body; remove it")
            }
            headers[name] = nil
        }
    }

    /// Validates that a field cannot inject another field (RFC 9110 §5.1, §5.5).
    private static func check(_ field: HTTPHeaders.Field) throws(TransportFailure) {
        guard field.name.isToken else {
            throw TransportFailure(
                .invalidHeader, "the header name '\(printable(field.name))' is not a valid HTTP token")
        }
        guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
            throw TransportFailure(
                .invalidHeader, "the value of the header '\(field.name)' contains a line break or a NUL; remove it")
        }
    }
}

extension RESTRequest {
    /// Whether the response is decompressed: the caller sets no `Accept-Encoding` and requests no range.
    ///
    /// A range of compressed data cannot be decompressed.
    var isDecoded: Bool { headers["Accept-Encoding"] == nil && headers["Range"] == nil }
}

extension URL {
    /// The reason for which the URL cannot be used with HTTP; `nil` if it is valid.
    var reasonForRejection: String? {
        guard isHTTP else {
            return scheme.map { "the scheme '\($0)' is not http or https; begin with http:// or https://" }
                ?? "the URL has no scheme; begin with https://"
        }
        guard let host = host(percentEncoded: true), !host.isEmpty else { return "the URL has no host" }
        if let port, !(1...65535).contains(port) { return "the port \(port) is not between 1 and 65535" }
        return nil
    }

    /// The valid values of `Host`.
    fileprivate var authorities: [String] {
        guard let host = host(percentEncoded: true)?.lowercased() else { return [] }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isDefault = effectivePort == (scheme?.lowercased() == "https" ? 443 : 80)
        return isDefault ? [name, "\(name):\(effectivePort)"] : ["\(name):\(effectivePort)"]
    }
}
