import Testing

@testable import RequestQueue

@Suite struct PathTemplateTests {
    @Test(arguments: [
        ("/tasks/:id", "http://a/tasks/7", true),
        ("/tasks/:id", "http://a/tasks/7?page=2#top", true),
        ("/tasks/:id", "http://a/tasks/7/", false),
        ("/tasks/:id/", "http://a/tasks/7/", true),
        ("/tasks/:id", "http://a/tasks/", false),
        ("/tasks/:id", "http://a/tasks/7/comments", false),
        ("/tasks/:id/comments/:comment_id", "http://a/tasks/7/comments/8", true),
        ("/tasks/:id", "http://a/v1/tasks/7", false),
        ("/v1/tasks/:id", "http://a/v1/tasks/7", true),
        ("tasks/:id", "http://a/v1/tasks/7", true),
        ("tasks/:id", "http://a/tasks/7", true),
        ("tasks/:id", "http://a/subtasks/7", false),
        (":id", "http://a/tasks/7", true),
        ("/tasks/:id.json", "http://a/tasks/7.json", true),
        ("/tasks/:id.json", "http://a/tasks/7.xml", false),
        ("/tasks/:id.json", "http://a/tasks/.json", false),
        ("/files/:name.:kind", "http://a/files/a.tar.gz", true),
        ("/files/v:major-:minor", "http://a/files/v1-22", true),
        ("/files/v:major-:minor", "http://a/files/v1-", false),
        ("/Tasks", "http://a/tasks", false),
        ("/a b", "http://a/a%20b", true),
        ("/a%20b", "http://a/a%20b", true),
        ("/caf\u{e9}", "http://a/caf%C3%A9", true),
        ("/a/b", "http://a/a%2Fb", false),
        ("/:one", "http://a/a%2Fb", true),
        (#"/items\:batch"#, "http://a/items:batch", true),
        (#"/items\:batch"#, "http://a/items7", false),
        ("/items:", "http://a/items:", true),
        ("/a%zz", "http://a/a%25zz", true),
        ("/", "http://a", true),
        ("/", "http://a/", true),
        ("/", "http://a/b", false),
        ("/*", "http://a/b", true),
        ("/*", "http://a/b/c", true),
        (#"/\*"#, "http://a/b", false),
        (#"/\*"#, "http://a/*", true),
        ("/files/*", "http://a/files", false),
        ("files/*", "http://a/v1/files/b/c", true),
        ("files/*", "http://a/v1/b/c", false),
        ("https://A.example/tasks", "https://a.example/tasks", true),
        ("https://a.example:8443/tasks", "https://a.example/tasks", false),
        ("http://a.example/tasks", "https://a.example/tasks", false),
        ("https://a.example", "https://a.example/", true),
        ("", "http://a/", true),
        ("", "http://a/b", false),
        ("/a//b", "http://a/a//b", true),
        ("/a//b", "http://a/a/b", false),
        ("/:a/:a", "http://a/1/1", true),
        ("/:a/:a", "http://a/1/2", false),
        ("/tasks/:id?page=1", "http://a/tasks/7?page=2", true),
        ("tasks?next=/a/b", "http://a/v1/tasks", true),
        ("/tasks?id=:id", "http://a/tasks?id=3", true),
        ("/files/*?x=1", "http://a/files/b/c", true),
        ("https://a.example?x=1", "https://a.example/", true),
        (#"/what\?"#, "http://a/what%3F", true),
        (#"/what\?"#, "http://a/what", false),
        (#"/what\\?x"#, #"http://a/what%5C"#, true),
    ])
    func `A template matches a path`(template: String, url: String, matches: Bool) throws {
        #expect((PathTemplate(template).match(try #require(URL(string: url))) != nil) == matches)
    }

    @Test(arguments: [
        ("/tasks/:id", "http://a/tasks/7", ["id": "7"]),
        ("/names/:name", "http://a/names/a%2Fb%20c", ["name": "a/b c"]),
        ("/names/:name", "http://a/names/%FF.x", ["name": "%FF.x"]),
        ("/files/:name.:kind", "http://a/files/a.tar.gz", ["name": "a", "kind": "tar.gz"]),
        ("/:a/:a-:b", "http://a/1-2/1-2-3", ["a": "1-2", "b": "3"]),
        ("/%FF:a/:a", "http://a/%FF%FEb/%FEb", ["a": "%FEb"]),
        ("/:b/:a-:b", "http://a/x/1-2-x", ["a": "1-2", "b": "x"]),
        ("/:b/:a-:b-:c", "http://a/x/1-2-x-3", ["a": "1-2", "b": "x", "c": "3"]),
        ("/:a-:b-c", "http://a/1-2-c-c", ["a": "1", "b": "2-c"]),
        ("/a/:id", "http://a/a/%CC%81", ["id": "\u{301}"]),
        ("https://H.example:443/:id", "https://h.example/7", ["id": "7"]),
        ("http://h.example/:id", "http://h.example:80/7", ["id": "7"]),
        ("/proxy/http://x/:id", "https://h.example/proxy/http://x/7", ["id": "7"]),
        ("/:größe", "http://a/7", ["größe": "7"]),
        ("tasks/:id", "http://a/tasks/tasks/7", ["id": "7"]),
        ("tasks/:id/*", "http://a/v1/tasks/7/comments/8", ["id": "7"]),
    ])
    func `A match has the decoded values of the parameters`(
        template: String, url: String, values: [String: String]
    ) throws {
        #expect(PathTemplate(template).match(try #require(URL(string: url))) == values)
    }

    @Test func `A path of many segments or a long one is matched on any stack`() throws {
        let long = String(repeating: "a-", count: 50_000)
        let url = try #require(URL(string: "http://a/" + long + "/" + String(repeating: "b/", count: 10_000)))
        #expect(PathTemplate("/:x-:y/*").match(url)?["x"] == "a")
        #expect(PathTemplate("/:x-c/*").match(url) == nil)
    }

    @Test(arguments: 2...40) func `Many parameters of a segment are matched in time that grows with their number`(
        count: Int
    ) {
        let template = PathTemplate("/" + (0..<count).map { ":p\($0)-" }.joined() + "!")
        #expect(template.match(encodedPath: "/" + String(repeating: "-", count: 200)) == nil)
        #expect(template.match(encodedPath: "/" + String(repeating: "b-", count: 40) + "!")?["p0"] == "b")
    }

    @Test(arguments: [
        ("/:a:b", "expected text between the parameters 'a' and 'b'"),
        ("/x/:a-:a", "expected each parameter once in a segment, found 'a' again"),
        ("/:a/../b", "expected segments without '.' and '..', found '..'"),
        ("/./:a", "expected segments without '.' and '..', found '.'"),
        ("/%2E%2e/:a", "expected segments without '.' and '..', found '%2E%2e'"),
        ("http:///a", "expected a scheme and a host, found 'http://'"),
        ("https://:8080/a", "expected a scheme and a host, found 'https://:8080'"),
    ])
    func `An invalid template matches no path and is not filled`(template: String, defect: String) {
        let template = PathTemplate(template)
        #expect(template.defect == defect)
        #expect(throws: PathTemplate.FillError.invalidTemplate(defect)) { try template.path { _ in "x" } }
        #expect(template.match(encodedPath: "/x/x/b") == nil)
    }

    @Test(arguments: [
        ("/tasks/:id", "/tasks/a%2Fb%20c"),
        ("tasks/:id/", "tasks/a%2Fb%20c/"),
        ("https://a.example/:id.json", "https://a.example/a%2Fb%20c.json"),
        (#"/items\:batch"#, "/items:batch"),
        (#"/what\?/:id?q\?=:id"#, "/what%3F/a%2Fb%20c?q?=a%2Fb%20c"),
        ("/a%20b/:id", "/a%20b/a%2Fb%20c"),
        ("/:id/:id", "/a%2Fb%20c/a%2Fb%20c"),
        ("/tasks?owner=:id&next=/x", "/tasks?owner=a%2Fb%20c&next=/x"),
        ("", ""),
    ])
    func `A template is filled with escaped values`(template: String, path: String) throws {
        #expect(try PathTemplate(template).path { _ in "a/b c" } == path)
    }

    @Test(arguments: ["..", "a/./b", "a//b", "/"]) func `The rules of paths do not apply to values of the query`(
        value: String
    ) throws {
        let text = "/search?q=" + value.replacing("/", with: "%2F")
        #expect(try PathTemplate("/search?q=:term").path { _ in value } == text)
        #expect(try PathTemplate("/search?q=:term").path(keepsSlashes: true) { _ in value } == text)
    }

    @Test func `A value can keep its slashes`() throws {
        #expect(try PathTemplate("/:path/x").path(keepsSlashes: true) { _ in "a/b c?" } == "/a/b%20c%3F/x")
    }

    @Test(arguments: ["/", "//", "/a", "a/", "a//b"])
    func `A value that keeps its slashes has no empty segments`(value: String) throws {
        let template = PathTemplate("/:path/x")
        #expect(throws: PathTemplate.FillError.emptySegment("path", value: value)) {
            try template.path(keepsSlashes: true) { _ in value }
        }
        #expect(try template.path { _ in value } == "/" + value.replacing("/", with: "%2F") + "/x")
    }

    @Test(
        arguments: [
            ("/tasks/:id", nil, .missing("id")),
            ("/tasks/:id", "", .missing("id")),
            ("/tasks/:id", "..", .dots("id", value: "..")),
            ("/tasks/:id", "a/./b", .dots("id", value: "a/./b")),
            // A combining character after the slash.
            ("/tasks/:id", "../\u{301}a", .dots("id", value: "../\u{301}a")),
            ("/tasks/*", "7", .wildcard),
        ] as [(String, String?, PathTemplate.FillError)])
    func `A template without a valid value for each parameter is not filled`(
        template: String, value: String?, error: PathTemplate.FillError
    ) {
        #expect(throws: error) { try PathTemplate(template).path { _ in value } }
    }

    @Test(arguments: [
        ("/a/:b/:c_2.:b", ["b", "c_2"]), ("/:", []), (#"/\:a"#, []), ("/:a:b", ["a", "b"]), ("/a/*", []),
        ("/a/:b?c=:d", ["b", "d"]),
    ])
    func `A template lists its parameters`(template: String, names: [String]) {
        #expect(PathTemplate(template).parameters == names)
    }
}
