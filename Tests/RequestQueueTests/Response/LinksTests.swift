import RequestQueue
import Testing

/// The field `Link` (RFC 8288).
@Suite("Links of responses") struct LinksTests {
    private func links(_ fields: String...) throws -> [String: String] {
        let headers = HTTPHeaders(fields: fields.map { HTTPHeaders.Field(name: "Link", value: $0) })
        let url = try #require(URL(string: "http://h/a/b?c"))
        return RESTResponse(status: 200, headers: headers, body: Data(), url: url).links.mapValues(\.absoluteString)
    }

    @Test(arguments: [
        (#"<http://h/2>; rel="next""#, ["next": "http://h/2"]),
        (#"<?page=2>;rel=next"#, ["next": "http://h/a/b?page=2"]),
        // Commas and semicolons in the target and in quotes.
        (#"</p?fields=id,name;x&page=2>; rel="next""#, ["next": "http://h/p?fields=id,name;x&page=2"]),
        (#"</2>; title="a, b; rel=\"prev\""; rel="next""#, ["next": "http://h/2"]),
        // Several relations, in any case.
        (#"</1>; rel="prev first""#, ["prev": "http://h/1", "first": "http://h/1"]),
        (#"</2>; REL="Next""#, ["next": "http://h/2"]),
        (#"</2> ; rel = "next" , </9> ;rel=last"#, ["next": "http://h/2", "last": "http://h/9"]),
        (#"</2>; rel=next; rel=prev"#, ["next": "http://h/2"]),
        (#"</2>; rel="next", </3>; rel="next""#, ["next": "http://h/2"]),
        (#"</2>; rel="https://example.com/Rel""#, ["https://example.com/rel": "http://h/2"]),
        (#"</2>; title*=UTF-8''a%2C%20b; rel=next"#, ["next": "http://h/2"]),
        // Links that are invalid or belong to another resource.
        (#"</2>; rel="next"; anchor="/other", </3>; rel=last"#, ["last": "http://h/3"]),
        (#"</2>, </3>; rel=last"#, ["last": "http://h/3"]),
        (#"</2>; rel, </3>; rel=last"#, ["last": "http://h/3"]),
        (#"</2>; rel="next"#, ["next": "http://h/2"]),
        // Elements that are not links, and text after a link.
        ("junk, </2>; rel=next", ["next": "http://h/2"]), ("a=b; rel=next, </2>; rel=last", ["last": "http://h/2"]),
        (#""x, <y>", </2>; rel=next"#, ["next": "http://h/2"]), (#"</2> "x,<evil>; rel=next""#, [:]),
        (#"</2"#, [:]), ("", [:]), (",,;", [:]), ("next", [:]), (#"<>; rel="self""#, ["self": "http://h/a/b?c"]),
    ])
    func `A field is read as links by their relation`(_ field: String, _ expected: [String: String]) throws {
        #expect(try links(field) == expected)
    }

    @Test func `Several fields are read in their order`() throws {
        #expect(
            try links("</2>; rel=next", "</9>; rel=last, </3>; rel=next")
                == ["next": "http://h/2", "last": "http://h/9"])
    }

    @Test func `Ten thousand links are read in time that grows with their number`() throws {
        let field = (1...10_000).map { "</\($0)?a=1,2>; rel=\"r\($0)\"" }.joined(separator: ", ")
        let found = try links(field)
        #expect(found.count == 10_000 && found["r9999"] == "http://h/9999?a=1,2")
    }

    @Test(arguments: [
        ("X-Total-Count", "319", 319), ("x-total", " 7 ", 7), ("Content-Range", "items 0-24/319", 319),
        ("Content-Range", "items */0", 0),
        // Bytes of a file, unknown counts, and what is no number.
        ("Content-Range", "bytes 0-24/319", nil), ("Content-Range", "items 0-24/*", nil),
        ("Content-Range", "items", nil), ("X-Total-Count", "-1", nil), ("X-Total-Count", "many", nil),
        ("X-Total-Count", "", nil), ("X-Total-Count", "99999999999999999999", nil), ("X-Count", "3", nil),
    ])
    func `The number of elements on all pages is read from its field`(name: String, value: String, count: Int?) throws {
        let url = try #require(URL(string: "http://h/"))
        #expect(RESTResponse(status: 200, headers: [name: value], body: Data(), url: url).totalCount == count)
    }

    @Test func `A response without the field has no links`() throws { #expect(try links().isEmpty) }
}
