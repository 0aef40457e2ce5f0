import ActiveResource
import TestSupport
import Testing

/// The calls of Active Resource's documentation against a real Rails application; the expected requests are equal to
/// those of the gem.
@Suite("Resources of a Rails application", .enabled(if: RailsServer.isInstalled))
struct RailsTests {
    @Test func `Records are found, saved, refused and deleted like by the Ruby gem`() async throws {
        let rails = try await RailsServer()
        defer { try? rails.stop() }
        try await Service.$site.withValue(ResourceSite(rails.url)) { () async throws in
            var matz = try await Person.find(1)
            #expect(matz.name == "Matz" && matz.age == 41 && matz.createdAt != nil)
            #expect(try await Person.where(["name": "Roy"]).records.map(\.id) == [2])
            #expect(try await Person.exists(3))
            #expect(try await !Person.exists(99))
            let missing = await #expect(throws: ResourceError.self) { try await Person.find(99) }
            #expect(missing?.kind == .notFound)
            matz.age = 42
            #expect(try await matz.save())
            #expect(
                try await rails.journal() == [
                    "GET /people/1.json", "GET /people.json?name=Roy", "HEAD /people/3.json", "HEAD /people/99.json",
                    "GET /people/99.json", #"PUT /people/1.json {"id":1,"name":"Matz","age":42}"#,
                ])

            var nobody = Person(name: "", age: -1)
            #expect(try await !nobody.save())
            #expect(nobody.errors.fullMessages == ["Name can't be blank", "Age must be greater than 0"])
            nobody.name = "Nobody"
            nobody.age = nil
            #expect(try await !nobody.save())
            #expect(nobody.errors[ResourceErrors.base].count == 1)
            nobody.name = "Ann"
            #expect(try await nobody.save())
            #expect(nobody.id == 4)
            try await nobody.destroy()
            let gone = await #expect(throws: ResourceError.self) { try await nobody.reload() }
            #expect(gone?.kind == .notFound)
            #expect(
                try await rails.journal() == [
                    #"POST /people.json {"name":"","age":-1}"#, #"POST /people.json {"name":"Nobody"}"#,
                    #"POST /people.json {"name":"Ann"}"#, "DELETE /people/4.json", "GET /people/4.json",
                ])

            let comments = try await Comment.all(prefix: ["post_id": 1]).records
            #expect(comments.map(\.id) == [1, 2])
            var comment = try await Comment.build(prefix: ["post_id": 1])
            comment.text = "Née"
            #expect(try await comment.save())
            let pages = Person.where(["page": 1, "per_page": 2]).pages()
            let ids = try await pages.reduce(into: [[Int?]]()) { $0.append($1.map(\.id)) }
            #expect(ids == [[1, 2], [3]])
            #expect(
                try await rails.journal() == [
                    "GET /posts/1/comments.json", "GET /posts/1/comments/new.json",
                    #"POST /posts/1/comments.json {"text":"Née"}"#, "GET /people.json?page=1&per_page=2",
                    "GET /people.json?page=2&per_page=2",
                ])
        }
        for shape in ["bare", "array"] {
            let site = ResourceSite(rails.url, format: .jsonWithRoot, headers: ["X-Errors-Shape": shape])
            try await Service.$site.withValue(site) { () async throws in
                var person = Person(name: "")
                #expect(try await !person.save())
                #expect(person.errors["name"] == ["can't be blank"])
            }
        }
        let patching = ResourceSite(rails.url).with { $0.updateMethod = .patch }
        try await Service.$site.withValue(patching) { () async throws in
            var roy = try await Person.find(2)
            _ = try await rails.journal()
            #expect(try await roy.update { $0.name = "Roi" })
            #expect(try await rails.journal() == [#"PATCH /people/2.json {"name":"Roi"}"#])
        }
        try await checkNestedAttributes(rails)
        try await checkAuthentication(rails)
    }

    /// Comments of a post are created, changed and deleted with it, and bodies have one format header.
    private func checkNestedAttributes(_ rails: RailsServer) async throws {
        try await Service.$site.withValue(ResourceSite(rails.url)) { () async throws in
            _ = try await rails.journal()
            var post = Gem.Post(title: "Kettles")
            post.nestedComments = [Gem.NestedComment(text: "Blue"), Gem.NestedComment(text: "Red")]
            #expect(try await post.save())
            post.nestedComments = nil
            let comments = try await post.comments.records
            #expect(comments.map(\.text) == ["Blue", "Red"])
            post.nestedComments = [
                Gem.NestedComment(id: comments[0].id, text: "Green"),
                Gem.NestedComment(id: comments[1].id, isDeleted: true),
            ]
            #expect(try await post.save())
            #expect(try await post.comments.records.map(\.text) == ["Green"])
            let entries = try await rails.journal(naming: ["Accept", "Content-Type"])
            let body = #"{"title":"Kettles","comments_attributes":[{"text":"Blue"},{"text":"Red"}]}"#
            #expect(entries[0] == "POST /posts.json Content-Type: application/json \(body)")
            #expect(entries[1] == "GET /posts/3/comments.json Accept: application/json")
        }
    }

    /// Rails' own three schemes accept what a site sends.
    private func checkAuthentication(_ rails: RailsServer) async throws {
        let schemes: [(String, Authentication)] = [
            ("basic", .basic(user: "ryan", password: "secret")), ("digest", .digest(user: "ryan", password: "secret")),
            ("bearer", .bearer(BearerToken("sesame") { "" })),
        ]
        for (scheme, authentication) in schemes {
            let site = ResourceSite(rails.url)
            let error = await Service.$site.withValue(site) {
                await #expect(throws: ResourceError.self) { try await Gem.Vault.find(scheme) }
            }
            #expect(error?.kind == .unauthorizedAccess)
            try await Service.$site.withValue(site.with { $0.authentication = authentication }) { () async throws in
                #expect(try await Gem.Vault.find(scheme).scheme == scheme)
            }
        }
    }
}
