import RequestQueue
import Testing

@Suite("Responses")
struct RESTResponseTests {
    private func response(
        _ status: Int = 200, _ headers: HTTPHeaders = [:], body: [UInt8] = [], method: HTTPMethod = .get
    ) throws -> RESTResponse {
        RESTResponse(
            status: status, headers: headers, body: Data(body), url: try #require(URL(string: "http://h/a/b?c")),
            method: method)
    }

    @Test(
        arguments: [
            ("isInvalid", \.isInvalid, [0...99, 601...700]), ("isInformational", \.isInformational, [100...199]),
            ("isSuccessful", \.isSuccessful, [200...299]), ("isRedirection", \.isRedirection, [300...399]),
            ("isClientError", \.isClientError, [400...499]), ("isServerError", \.isServerError, [500...599]),
            ("isError", \.isError, [400...599]), ("isOK", \.isOK, [200...200]), ("isCreated", \.isCreated, [201...201]),
            ("isNotModified", \.isNotModified, [304...304]), ("isUnauthorized", \.isUnauthorized, [401...401]),
            ("isForbidden", \.isForbidden, [403...403]), ("isNotFound", \.isNotFound, [404...404]),
            ("isConflict", \.isConflict, [409...409]), ("isGone", \.isGone, [410...410]),
            ("isUnprocessableEntity", \.isUnprocessableEntity, [422...422]),
            ("isServiceUnavailable", \.isServiceUnavailable, [503...503]),
            ("isRedirect", \.isRedirect, [301...303, 307...308]),
            ("isEmpty", \.isEmpty, [204...205, 304...304]),
        ] as [(String, any KeyPath<RESTResponse, Bool> & Sendable, [ClosedRange<Int>])])
    func `Each predicate is true for its statuses only`(
        _ name: String, _ predicate: any KeyPath<RESTResponse, Bool> & Sendable, _ statuses: [ClosedRange<Int>]
    ) throws {
        let found = try (0...700).filter { try response($0)[keyPath: predicate] }
        #expect(found == statuses.flatMap { Array($0) })
    }

    @Test(
        arguments: [
            ("application/json", "application/json", nil), ("Text/HTML; Charset=\"UTF-8\"", "text/html", "utf-8"),
            ("text/plain;format=flowed ; charset = latin1 ", "text/plain", "latin1"), ("", nil, nil),
            (";charset=a", nil, "a"),
        ] as [(String, String?, String?)])
    func `A content type is parsed`(_ type: String, _ mimeType: String?, _ charset: String?) throws {
        let response = try response(200, ["Content-Type": type])
        #expect(response.contentType == type && response.mimeType == mimeType && response.charset == charset)
    }

    @Test(arguments: [
        ("APPLICATION/JSON;charset=utf-8", "json"), ("application/problem+json", "json"), ("application/xml", "xml"),
        ("text/xml; a=b", "xml"), ("image/svg+xml", "xml"), ("text/html", "html"),
        ("application/xhtml+xml", "xml html xhtml"),
        ("text/plain", ""), ("x-application/json", ""), ("application/json-seq", ""), ("text/html-sandboxed", ""),
    ])
    func `Kinds of content depend on the media type, ignoring case and parameters`(_ type: String, _ kinds: String)
        throws
    {
        let response = try response(200, ["content-type": type])
        let found = [
            ("json", response.isJSON), ("xml", response.isXML), ("html", response.isHTML), ("xhtml", response.isXHTML),
        ]
        #expect(found.filter(\.1).map(\.0).joined(separator: " ") == kinds)
    }

    @Test(
        arguments: [
            (nil, [0xC3, 0xA4], "ä"), ("text/plain", [0xEF, 0xBB, 0xBF, 0x61], "a"), ("text/plain", [0xFF], nil),
            ("text/plain; charset=ISO-8859-1", [0xE4], "ä"),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0xE4, 0], "ä"),
            ("text/html; charset=windows-1252", [0x80, 0x93, 0xE4], "€“ä"),
            ("text/html; charset=Windows-1251", [0xCF, 0xF0, 0xE8], "При"),
            ("text/html; charset=iso-8859-15", [0xA4, 0xBD], "€œ"),
            ("text/html; charset=\"shift_jis\"", [0x93, 0xFA, 0x96, 0x7B, 0xB1], "日本ｱ"),
            ("text/html; charset=gb2312", [0xE9, 0x46], "镕"), ("text/html; charset=euc-kr", [0x81, 0x41], "갂"),
            ("text/html; charset=shift_jis", [0x93], nil), ("text/html; charset=koi8-r", [], ""),
            ("text/plain; charset=utf-16be", [0, 0xE4], "ä"), ("text/plain; charset=us-ascii", [0x61], "a"),
            ("text/plain; charset=x-unknown", [0x61], nil), (nil, [], ""),
        ] as [(String?, [UInt8], String?)])
    func `Text is decoded by the character set, or is nil`(
        _ type: String?, _ bytes: [UInt8], _ text: String?
    ) throws {
        var headers = HTTPHeaders()
        headers["Content-Type"] = type
        #expect(try response(200, headers, body: bytes).text == text)
    }

    @Test func `A default encoding is used for bodies without one`() throws {
        #expect(try response(body: [0xE4]).text(default: .isoLatin1) == "ä")
        #expect(try response(200, ["Content-Type": "a/b;charset=utf-8"], body: [0xE4]).text(default: .isoLatin1) == nil)
    }

    @Test func `Header fields are parsed by type`() throws {
        var headers: HTTPHeaders = ["Content-Length": " 12 ", "Location": "../c?d"]
        headers.add("id=7; Path=/; HttpOnly", for: "Set-Cookie")
        headers.add("theme=dark; Max-Age=0", for: "set-cookie")
        let one = try response(200, headers)
        #expect(one.contentLength == 12 && one.location?.absoluteString == "http://h/c?d")
        #expect(one.cookies == ["id": "7", "theme": "dark"])
        let other = try response(200, ["Content-Length": "x"])
        #expect(other.contentLength == nil && other.location == nil && other.cookies.isEmpty)
        #expect("\(one)" == "200 from http://h/a/b?…: no content type, 0 bytes")
    }

    @Test(
        arguments: [
            (200, "application/json; charset=utf-8", ["application/json"], HTTPMethod.get, nil),
            (200, "text/csv", ["text/*"], .get, nil),
            (200, "text/csv", [], .get, nil), (204, nil, ["application/json"], .get, nil),
            (202, nil, ["application/json"], .get, nil),
            (200, nil, ["application/json"], .head, nil),
            (304, nil, [], .get, "expected a status of 200 to 299, got 304"),
            (200, nil, ["application/json"], .get, "expected the content type application/json, got no content type"),
            (
                200, "text/html", ["application/json", "text/csv"], .get,
                "expected the content type application/json or text/csv, got text/html"
            ),
            (204, "text/html", ["text/csv"], .get, "expected the content type text/csv, got text/html"),
            (500, "text/html", [], .get, "expected a status of 200 to 299, got 500"),
        ] as [(Int, String?, [String], HTTPMethod, String?)])
    func `An unusable response is an error with the expectation`(
        _ status: Int, _ type: String?, _ types: [String], _ method: HTTPMethod, _ cause: String?
    ) throws {
        var headers = HTTPHeaders()
        headers["Content-Type"] = type
        let response = try response(status, headers, method: method)
        do {
            _ = try response.validated(contentTypes: types)
            #expect(cause == nil)
        } catch {
            #expect(error.kind == .unacceptableResponse && error.cause == cause && error.method == method)
        }
    }

    private struct Film: Decodable, Equatable { var title: String }

    @Test func `A body is decoded as JSON, or the error has the reason`() throws {
        #expect(try response(body: Array(#"[{ "title": "a" }]"#.utf8)).json() == [Film(title: "a")])
        let error = #expect(throws: RequestError.self) {
            try response(body: Array(#"{ "name": 1 }"#.utf8)).json(Film.self)
        }
        #expect(error?.kind == .unacceptableResponse)
        #expect(error?.cause.hasPrefix("expected JSON of Film, got no content type, which cannot be decoded: ") == true)
        #expect(error?.cause.contains("title") == true)
    }

    @Test func `Statuses can be any collection`() throws {
        let closed = #expect(throws: RequestError.self) { try response(404).validated(statuses: 200...299) }
        #expect(closed?.cause == "expected a status of 200 to 299, got 404")
        #expect(try response(404).validated(statuses: [200, 404]).isNotFound)
        let error = #expect(throws: RequestError.self) { try response(201).validated(statuses: [200, 404]) }
        #expect(error?.cause == "expected a status of 200, 404, got 201")
    }
}
