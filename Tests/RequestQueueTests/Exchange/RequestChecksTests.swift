import Testing

@testable import RequestQueue

@Suite("Checks before a request is sent")
struct RequestChecksTests {
    private static let silent = ScriptedTransport({ $0.answer() })

    private static func checked(
        _ method: HTTPMethod = .get, _ url: String = "http://server.example/a", headers: HTTPHeaders = [:],
        body: String? = nil
    ) throws -> TransportRequest {
        try TransportRequest(checking: request(method, url, headers: headers, body: body, over: silent))
    }

    private static func kind(_ make: () throws -> TransportRequest) -> RequestError.Kind? {
        do {
            _ = try make()
            return nil
        } catch { return (error as? TransportFailure)?.kind }
    }

    @Test func `Header fields that the caller omits are added`() throws {
        let sent = try Self.checked(.post, body: "hello")
        #expect(
            sent.headers.fields.map { "\($0.name): \($0.value)" } == [
                "Content-Type: text/plain", "Accept: */*", "Accept-Encoding: gzip, deflate",
                "User-Agent: MappingKit/0.1",
            ])
        #expect(sent.body?.length == 5)
    }

    @Test func `Header fields of the caller are unchanged`() throws {
        let headers: HTTPHeaders = [
            "content-type": "a/b", "accept": "c/d", "accept-encoding": "br", "user-agent": "Me", "Authorization": "x",
        ]
        let sent = try Self.checked(.post, "http://u:p@server.example/", headers: headers, body: "hello")
        #expect(sent.headers == headers)
        #expect(sent.url.absoluteString == "http://server.example/")
    }

    @Test func `The response to a range request is not decompressed`() throws {
        #expect(try Self.checked(headers: ["Range": "bytes=1-2"]).headers["Accept-Encoding"] == "identity")
    }

    @Test(arguments: [
        ("http://user@server.example/", "user:"), ("http://user:secret@server.example/", "user:secret"),
        ("http://us%20er:p%3A%C3%A4@server.example/", "us er:p:ä"),
    ])
    func `User and password of the URL are sent as basic authentication`(url: String, credentials: String) throws {
        let sent = try Self.checked(.get, url)
        #expect(sent.headers["Authorization"] == "Basic " + Data(credentials.utf8).base64EncodedString())
        #expect(sent.url.absoluteString == "http://server.example/")
    }

    @Test(arguments: [
        "", "GE T", "GET\r\nX: y", "GÉT", "CONNECT", "GET/", "\"GET\"",
    ])
    func `A method that is not a token is an error`(method: String) {
        #expect(Self.kind { try Self.checked(HTTPMethod(rawValue: method)) } == .invalidMethod)
    }

    @Test(arguments: ["PROPFIND", "M-SEARCH", "x"])
    func `Any token is a valid method`(method: String) throws {
        #expect(try Self.checked(HTTPMethod(rawValue: method)).method.rawValue == method)
    }

    @Test(arguments: [
        ("", "x"), ("A B", "x"), ("A:", "x"), ("A\r\nB", "x"), ("Ä", "x"), ("A", "x\r\nB: y"), ("A", "x\ny"),
        ("A", "x\ry"),
        ("A", "x\0y"), ("Content-Length", "7"), ("content-length", "5, 5"), ("Transfer-Encoding", "chunked"),
        ("Transfer-Encoding", "gzip"), ("Host", "other.example"), ("Connection", "close"), ("Connection", "X-Mine"),
    ])
    func `A header field cannot inject a field or change the framing`(name: String, value: String) {
        var headers = HTTPHeaders()
        headers.add(value, for: name)
        #expect(Self.kind { try Self.checked(.post, headers: headers, body: "hello") } == .invalidHeader)
    }

    @Test(arguments: [
        ("Content-Length", "5"), ("Host", "server.example"), ("Host", "SERVER.example:80"),
        ("connection", "Keep-Alive"),
    ])
    func `Fields equal to those of the transport are removed`(name: String, value: String) throws {
        #expect(try Self.checked(.post, headers: [name: value], body: "hello").headers[name] == nil)
    }

    @Test(arguments: ["a\tb", "", "ä", "x: y"])
    func `Any other text is a valid field value`(value: String) throws {
        #expect(try Self.checked(headers: ["X-Mine": value]).headers["X-Mine"] == value)
    }

    @Test(arguments: [
        "ftp://server.example/", "file:///etc/passwd", "/relative", "server.example/a", "http:///a", "http://",
        "http://server.example:0/", "http://server.example:65536/", "", "http://%FF@server.example/",
    ])
    func `A URL without HTTP or without a host is an error`(url: String) {
        #expect(Self.kind { try Self.checked(.get, url) } == .invalidURL)
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func `A body of a method without a body is an error`(method: HTTPMethod) {
        #expect(Self.kind { try Self.checked(method, body: "hello") } == .invalidBody)
    }

    @Test func `The error contains the request, and that nothing was sent`() throws {
        let transport = ScriptedTransport({ $0.answer() })
        let failure = try outcome(
            of: request(.post, headers: ["X": "a\nb"], over: transport)
        ).failure
        #expect(failure?.kind == .invalidHeader)
        #expect(failure?.phase == .preparing)
        #expect(failure?.method == .post)
        #expect(failure?.url?.absoluteString == "http://server.example/a")
        #expect(failure?.cause == "the value of the header 'X' contains a line break or a NUL; remove it")
        #expect(transport.calls.isEmpty)
    }

    @Test(
        arguments: [
            ("multipart/form-data", "multipart/form-data; boundary=B"),
            ("Multipart/Mixed; charset=utf-8", "Multipart/Mixed; charset=utf-8; boundary=B"),
            ("multipart/form-data; boundary=\"B\"", "multipart/form-data; boundary=\"B\""),
            ("multipart/form-data; boundary=BC", nil),
            ("application/json", nil), ("multipart/form-data; boundary=B", "multipart/form-data; boundary=B"),
        ] as [(String, String?)])
    func `A multipart body is sent with its boundary, or not at all`(own: String, sent: String?) throws {
        struct Multipart: RequestSerializable {
            let contentType = "multipart/form-data; boundary=B"
            func makeBodyData() -> Data? { Data("--B--".utf8) }
        }
        let transport = ScriptedTransport({ $0.answer() })
        var request = try request(.post, over: transport)
        request.setBody(Multipart())
        request.headers["Content-Type"] = own
        let error = try outcome(of: request).failure
        #expect(error?.kind == (sent == nil ? .invalidHeader : nil))
        #expect(transport.requests.map { $0.headers["Content-Type"] } == (sent == nil ? [] : [sent]))
    }

    @Test func `An error from creating the request takes precedence`() throws {
        var request = try request(over: Self.silent)
        request.buildError = RequestError(.invalidBody, "the file is not there")
        #expect(try outcome(of: request).failure?.cause == "the file is not there")
    }
}
