import Testing

@testable import RequestQueue

@Suite struct PathPatternTests {
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
        ("/*", "http://a/b", false),
    ])
    func `A pattern matches a path`(pattern: String, url: String, matches: Bool) throws {
        #expect(PathPattern(pattern).matches(try #require(URL(string: url))) == matches)
    }
}
