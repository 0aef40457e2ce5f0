import ObjectLoading
import Testing

@Suite("Indexes of paths")
struct PathIndexTests {
    private static let templates = [
        "/", "/projects", "/projects/", "/projects/:id", "/projects/:id/tasks", "/projects/latest", "/:any",
        "/:any/:id",
        "/projects/:id.json", "/files/*", "/files/:name", "/*", "tasks/:id", ":id", "/a%2Fb/:id", "/a\\:b",
        "https://example.com/projects/:id", "/v:major/:id", "//double",
    ]

    @Test(arguments: [
        "", "/", "/projects", "/projects/", "/projects/7", "/projects/latest", "/projects/7/tasks", "/projects/7.json",
        "/projects/a%2Fb", "/%70rojects/7", "/files/a/b", "/files/", "/x/tasks/9", "/a%2Fb/1", "/a%2fb/1", "/a:b",
        "/v2/x", "//double", "/%FF", "/%FF/%C3", "/none/of/these/segments",
    ])
    func `The candidates of a path contain each template that matches it`(_ path: String) {
        var index = PathIndex()
        for (number, text) in Self.templates.enumerated() { index.insert(number, for: PathTemplate(text)) }
        index.insert(Self.templates.count, for: nil)
        let candidates = index.candidates(for: path).map { (Self.templates + ["any"])[$0] }
        let matching = Self.templates.filter { PathTemplate($0).match(encodedPath: path) != nil }
        #expect(Set(candidates).isSuperset(of: matching + ["any"]))
        #expect(Set(candidates).count == candidates.count)
    }

    @Test func `Of a thousand templates, the candidates are those with the same literal segments`() {
        var index = PathIndex()
        for number in 0..<1000 { index.insert(number, for: PathTemplate("/api/kind\(number)/:id")) }
        #expect(index.candidates(for: "/api/kind567/1") == [567])
        #expect(index.candidates(for: "/api/kind567").isEmpty)
        #expect(index.candidates(for: nil).isEmpty)
    }
}
