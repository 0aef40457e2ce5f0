import ActiveResource
import LoopbackServer
import TestSupport
import Testing

@Suite("Synchronous calls of resources")
struct SynchronousTests {
    static let answers = [
        "GET /people/1.json": Answer.json(#"{"id": 1, "name": "Ann"}"#), "HEAD /people/1.json": Answer(200),
        "GET /people.json": .json(#"[{"id": 1}, {"id": 2}]"#, 200, ["Link": "</people.json?page=2>; rel=next"]),
        "GET /people.json?page=2": .json("[]"), "GET /people.json?name=Bo": .json("[]"),
        "POST /people.json": .json(#"{"id": 3}"#, 201), "GET /people/new.json": .json(#"{"name": "?"}"#),
        "PUT /people/1.json": Answer(204), "DELETE /people/1.json": Answer(204),
        "GET /people/active.json": .json(#"[{"id": 1}]"#), "POST /people/1/promote.json": Answer(204),
        "GET /posts/1/comments.json": .json(#"[{"id": 5}]"#),
    ]

    @Test func `Typed records have all calls`() async throws {
        try await serving(Self.answers) { (service) async throws in
            try typedScript()
            #expect(service.requests.count == 19)
        }
    }

    @Test func `Records by name have all calls`() async throws {
        try await serving(Self.answers) { (service) async throws in
            try scriptByName()
            #expect(service.requests.count == 14)
        }
    }

    @Test func `The generated calls are up to date`() async throws {
        let folder = resource("Package.swift").deletingLastPathComponent()
        let result = try await runShell(
            "command -v perl >/dev/null || exit 0; scripts/generate-resource-calls --check", directory: folder)
        #expect(result.status == 0, "run scripts/generate-resource-calls")
    }
}

private func typedScript() throws {
    var ann = try Person.findSync(1)
    #expect(try Person.existsSync(1) && ann.existsSync())
    #expect(try Person.firstSync()?.id == 1 && Person.lastSync()?.id == 2)
    let query = Person.all()
    #expect(try query.countSync == 2 && query.existsSync)
    let first = try query.loadSync()
    #expect(try query.pageSync(after: first)?.isEmpty == true)
    #expect(try Person.where(["name": "Bo"]).firstOrCreateSync().id == 3)
    #expect(try Person.createSync(["name": "Cy"]).id == 3)
    #expect(try Person.buildSync().isNew)
    let active: [Person] = try Person.getSync("active")
    #expect(active.map(\.id) == [1])
    try ann.postSync("promote")
    #expect(try ann.updateSync { $0.name = "An" })
    try ann.saveOrThrowSync()
    try ann.destroySync()
    let post = Person(id: 1, resource: ResourceState(isPersisted: true))
    #expect(try post.hasMany(Comment.self, foreignKey: "post_id").recordsSync.map(\.id) == [5])
}

private func scriptByName() throws {
    let people = DynamicResourceType(Service.site, "person")
    var ann = try people.findSync(1)
    #expect(try people.existsSync(1) && ann.existsSync())
    #expect(try people.all().recordsSync.map(\.id) == ["1", "2"])
    #expect(try people.where(["name": "Bo"]).firstOrCreateSync().id == "3")
    #expect(try people.createSync(["name": "Cy"]).id == "3")
    #expect(try people.buildSync().isNew)
    #expect(try people.getSync("active")[0]["id"].int == 1)
    try ann.postSync("promote")
    #expect(try ann.updateAttributesSync(["name": "An"]))
    #expect(try ann.saveSync())
    try ann.reloadSync()
    try ann.destroySync()
}
