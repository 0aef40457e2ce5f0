import ActiveResource
import Testing

/// A call of the gem, and the same call in Swift.
struct GemCall: Sendable, CustomTestStringConvertible {
    /// The Ruby code, a line of `Gem/calls.txt`.
    let ruby: String
    /// Settings of the site that the Ruby class has.
    let site: @Sendable (inout ResourceSite) -> Void
    let run: @Sendable () async throws -> Void

    var testDescription: String { ruby }

    init(
        _ ruby: String, site: @escaping @Sendable (inout ResourceSite) -> Void = { _ in },
        _ run: @escaping @Sendable () async throws -> Void
    ) {
        (self.ruby, self.site, self.run) = (ruby, site, run)
    }

    static let all = finding + conditions + creating + updating + settings + nested + associated + methods + statuses

    private typealias Person = Gem.Person
    private typealias Post = Gem.Post
    private typealias Comment = Gem.Comment
    private typealias Address = Gem.Address

    private static let finding = [
        GemCall("Person.find(1)") { _ = try await Person.find(1) },
        GemCall(#"Person.find("2")"#) { _ = try await Person.find("2") },
        GemCall("Person.find(99)") { _ = try await Person.find(99) },
        GemCall(#"Person.find(1, params: { include: "posts" })"#) {
            _ = try await Person.find(1, query: ["include": "posts"])
        },
        GemCall(#"Person.find(1, params: { include: "posts,address", a: [1, 2] })"#) {
            _ = try await Person.find(1, query: ["include": "posts,address", "a": [1, 2]])
        },
        GemCall(#"Person.find("a b/c?d")"#) { _ = try await Person.find("a b/c?d") },
        GemCall(#"StreetAddress.find("é😀")"#) { _ = try await StreetAddress.find("é😀") },
        GemCall(#"StreetAddress.find("../x")"#) { _ = try await StreetAddress.find("../x") },
        GemCall("Person.find(:all)") { _ = try await Person.all().records },
        GemCall("Person.find(:first)") { _ = try await Person.all().first },
        GemCall("Person.find(:last)") { _ = try await Person.all().last },
        GemCall("Person.first(params: { admin: true })") { _ = try await Person.first(["admin": true]) },
        GemCall("Person.last") { _ = try await Person.last() },
        GemCall("Person.all.to_a") { _ = try await Person.all().records },
        GemCall("Person.find(:all, from: :active)") { _ = try await Person.all(from: .named("active")).records },
        GemCall("Person.find(:all, from: :active, params: { limit: 1 })") {
            _ = try await Person.all(from: .named("active")).where(["limit": 1]).records
        },
        GemCall(#"Person.find(:all, from: "/people/active.json", params: { a: 1 })"#) {
            _ = try await Person.all(from: .path("/people/active.json")).where(["a": 1]).records
        },
        GemCall("Person.find(:one, from: :leader)") { _ = try await Person.one(from: .named("leader")) },
        GemCall(#"Person.find(:one, from: "/people/leader.json")"#) {
            _ = try await Person.one(from: .path("/people/leader.json"))
        },
        GemCall("Person.exists?(1)") { _ = try await Person.exists(1) },
        GemCall("Person.exists?(99)") { _ = try await Person.exists(99) },
        GemCall("Person.exists?(nil)") { _ = try await Person.exists(nil as Int?) },
        GemCall("Person.find(1).exists?") { _ = try await Person.find(1).exists() },
        GemCall(#"Person.new(name: "x").exists?"#) { _ = try await Person(name: "x").exists() },
    ]

    private static let conditions = [
        GemCall(#"Person.find(:all, params: { name: "Roy" })"#) {
            _ = try await Person.where(["name": "Roy"]).records
        },
        GemCall(#"Person.find(:all, params: { name: ["Roy", "Matz"] })"#) {
            _ = try await Person.where(["name": ["Roy", "Matz"]]).records
        },
        GemCall(#"Person.find(:all, params: { order: "name desc,id asc", limit: 2, offset: 1 })"#) {
            _ = try await Person.where(["order": "name desc,id asc", "limit": 2, "offset": 1]).records
        },
        GemCall("Person.find(:all, params: { page: 1, per_page: 2 })") {
            _ = try await Person.where(["page": 1, "per_page": 2]).records
        },
        GemCall(
            "Person.find(:all, params: { a: { b: [1, 2], c: nil }, empty: [], flag: true, day: Date.new(2020, 1, 1) })"
        ) {
            let a: FormValue = ["b": [1, 2], "c": FormValue.null]
            _ = try await Person.where(["a": a, "empty": [Int](), "flag": true, "day": "2020-01-01"]).records
        },
        GemCall(#"Person.find(:all, params: { q: "é&=+~* x" })"#) {
            _ = try await Person.where(["q": "é&=+~* x"]).records
        },
        GemCall(#"Person.where(name: "Roy").to_a"#) { _ = try await Person.where(["name": "Roy"]).records },
        GemCall(#"Person.where(name: "Roy").where(age: 50).to_a"#) {
            _ = try await Person.where(["name": "Roy"]).where(["age": 50]).records
        },
        GemCall("Person.where(a: { x: 1 }).where(a: { y: 2 }).to_a") {
            _ = try await Person.where(["a": ["x": 1] as FormValue]).where(["a": ["y": 2] as FormValue]).records
        },
        GemCall(#"Person.where(name: "Roy").first_or_create"#) {
            _ = try await Person.where(["name": "Roy"]).firstOrCreate()
        },
        GemCall(#"Person.where(name: "Ann").first_or_create(age: 3)"#) {
            _ = try await Person.where(["name": "Ann"]).firstOrCreate(["age": 3])
        },
        GemCall(#"Person.where(name: "Ann").first_or_initialize(age: 3)"#) {
            _ = try await Person.where(["name": "Ann"]).firstOrInitialize(["age": 3])
        },
    ]

    private static let creating = [
        GemCall("Person.build") { _ = try await Person.build() },
        GemCall(#"Person.build(name: "Ann")"#) { _ = try await Person.build(["name": "Ann"]) },
        GemCall(#"Person.create(name: "Ann")"#) { _ = try await Person.create(["name": "Ann"]) },
        GemCall(#"Person.create(name: "Ann", age: 30, tags: ["a", "b"], admin: false, height: 1.5)"#) {
            _ = try await Person.create(["name": "Ann", "age": 30, "tags": ["a", "b"], "admin": false, "height": 1.5])
        },
        GemCall(#"Person.create(name: "Ann", birthday: Date.new(1970, 1, 31), score: BigDecimal("12.5"))"#) {
            let birthday = Date(timeIntervalSince1970: 30 * 86_400)
            _ = try await Person(name: "Ann", birthday: birthday, score: Decimal(string: "12.5")).saved()
        },
        GemCall(#"Person.create(name: "")"#) { _ = try await Person.create(["name": ""]) },
        GemCall(#"Person.create(name: "Nobody", age: -1)"#) {
            _ = try await Person.create(["name": "Nobody", "age": -1])
        },
        GemCall(#"Person.create!(name: "")"#) { _ = try await Person(name: "").saved() },
        GemCall(#"Person.create(name: "Ann").tap { |p| p.age = 4 }.save"#) {
            var person = try await Person.create(["name": "Ann"])
            _ = try await person.update { $0.age = 4 }
        },
        GemCall(#"Person.create(name: "Ann").destroy"#) { try await Person.create(["name": "Ann"]).destroy() },
        GemCall("Person.find(1).clone.tap { |p| p.email = nil }.save") {
            var copy = try await Person.find(1).clone()
            copy.email = nil
            _ = try await copy.save()
        },
        GemCall("Person.find(1).dup.tap { |p| p.email = nil }.save") {
            var copy = try await Person.find(1).dup()
            copy.email = nil
            _ = try await copy.save()
        },
    ]

    private static let updating = [
        GemCall("Person.find(1).save") { _ = try await change(1) { _ in } },
        GemCall(#"Person.find(1).tap { |p| p.name = "Matzi" }.save"#) { try await change(1) { $0.name = "Matzi" } },
        GemCall("Person.find(1).tap { |p| p.name = nil }.save") { try await change(1) { $0.name = nil } },
        GemCall(#"Person.find(1).update_attribute(:name, "Matzi")"#) { try await change(1) { $0.name = "Matzi" } },
        GemCall(#"Person.find(1).update_attributes(name: "Matzi", age: 42)"#) {
            var person = try await Person.find(1)
            _ = try await person.updateAttributes(["name": "Matzi", "age": 42])
        },
        GemCall(#"Person.find(1).tap { |p| p.lock_version = -1; p.name = "late" }.save"#) {
            try await change(1) { ($0.lockVersion, $0.name) = (-1, "late") }
        },
        GemCall("Person.find(1).destroy") { try await Person.find(1).destroy() },
        GemCall("Person.find(1).reload") {
            var person = try await Person.find(1)
            try await person.reload()
        },
        GemCall("Person.delete(2)") { try await Person.delete(2) },
        GemCall("Person.delete(99)") { try await Person.delete(99) },
    ]

    private static func change(_ id: Int, _ change: (inout Person) -> Void) async throws {
        var person = try await Person.find(id)
        _ = try await person.update(change)
    }

    private static let settings = [
        GemCall(#"BarePerson.create(name: "")"#, site: { $0.headers["X-Errors-Shape"] = "bare" }) {
            let person = try await Person.create(["name": ""])
            #expect(person.errors["name"] == ["can't be blank"])
        },
        GemCall(#"ArrayPerson.create(name: "", age: -1)"#, site: { $0.headers["X-Errors-Shape"] = "array" }) {
            let person = try await Person.create(["name": "", "age": -1])
            #expect(person.errors["age"] == ["must be greater than 0"])
        },
        GemCall(#"RootedPerson.create(name: "Ann")"#, site: { $0.format = .jsonWithRoot }) {
            _ = try await Person.create(["name": "Ann"])
        },
        GemCall("RootedPerson.find(1).save", site: { $0.format = .jsonWithRoot }) { try await change(1) { _ in } },
        GemCall("PlainPerson.find(1)", site: { $0.includesFormatInPath = false }) { _ = try await Person.find(1) },
        GemCall(#"PlainPerson.create(name: "Ann")"#, site: { $0.includesFormatInPath = false }) {
            _ = try await Person.create(["name": "Ann"])
        },
        GemCall("PlainPerson.all.to_a", site: { $0.includesFormatInPath = false }) {
            _ = try await Person.all().records
        },
        GemCall("HeadedPerson.find(1)", site: { $0.headers["X-Team"] = "a" }) { _ = try await Person.find(1) },
        GemCall(#"HeadedPerson.create(name: "Ann")"#, site: { $0.headers["X-Team"] = "a" }) {
            _ = try await Person.create(["name": "Ann"])
        },
        GemCall("OverridingPerson.find(1)", site: override) { _ = try await Person.find(1) },
        GemCall(#"OverridingPerson.create(name: "Ann")"#, site: override) {
            _ = try await Person.create(["name": "Ann"])
        },
        GemCall(
            "CamelPerson.find(:all, params: { min_age: 3 })", site: { $0.queryNaming = { Inflector.camelCased($0) } }
        ) { _ = try await Person.where(["min_age": 3]).records },
        GemCall("ApiPerson.find(1)", site: { $0 = $0.moved(to: "/echo/api/v1") }) { _ = try await Person.find(1) },
        GemCall(#"ApiPerson.create(name: "Ann")"#, site: { $0 = $0.moved(to: "/echo/api/v1") }) {
            _ = try await Person.create(["name": "Ann"])
        },
        GemCall(
            #"BasicVault.find("basic")"#,
            site: { $0.authentication = .basic(user: "ryan", password: "secret", forced: true) }
        ) { _ = try await Gem.Vault.find("basic") },
        GemCall(
            #"UserVault.find("basic")"#,
            site: { $0.authentication = .basic(user: "ryan", password: "", forced: true) }
        ) { _ = try await Gem.Vault.find("basic") },
        GemCall(#"SiteVault.find("basic")"#, site: { $0 = $0.moved(user: "ry%40n", password: "se%3Acret") }) {
            _ = try await Gem.Vault.find("basic")
        },
        GemCall(#"BearerVault.find("bearer")"#, site: { $0.authentication = .bearer(BearerToken("sesame") { "" }) }) {
            _ = try await Gem.Vault.find("bearer")
        },
    ]

    @Sendable private static func override(_ site: inout ResourceSite) {
        let parent = site.with { $0.headers["X-Team"] = "a" }
        site = parent.with {
            $0.headers["X-Team"] = "b"
            $0.headers["Accept"] = "application/json; v=2"
        }
    }

    private static let nested = [
        GemCall("Comment.find(:all, params: { post_id: 1 })") {
            _ = try await Comment.all(prefix: ["post_id": 1]).records
        },
        GemCall("Comment.find(:all, params: { post_id: 1, limit: 1 })") {
            _ = try await Comment.all(prefix: ["post_id": 1]).where(["limit": 1]).records
        },
        GemCall("Comment.find(1, params: { post_id: 1 })") { _ = try await firstComment() },
        GemCall("Comment.find(:all)") { _ = try await Comment.all().records },
        GemCall("Comment.find(1)") { _ = try await Comment.find(1) },
        GemCall("Comment.where(post_id: 1).to_a") { _ = try await Comment.where(["post_id": 1]).records },
        GemCall(#"Comment.create(post_id: 1, text: "Hm")"#) {
            _ = try await Comment.create(["post_id": 1, "text": "Hm"])
        },
        GemCall(#"Comment.new({ text: "Hm" }).tap { |c| c.prefix_options[:post_id] = 1 }.save"#) {
            var comment = try Comment.new(["text": "Hm"])
            comment.resource.prefixOptions["post_id"] = "1"
            _ = try await comment.save()
        },
        GemCall(#"Comment.find(1, params: { post_id: 1 }).tap { |c| c.text = "Oh" }.save"#) {
            var comment = try await firstComment()
            _ = try await comment.update { $0.text = "Oh" }
        },
        GemCall("Comment.find(1, params: { post_id: 1 }).destroy") { try await firstComment().destroy() },
        GemCall("Comment.find(1, params: { post_id: 1 }).reload") {
            var comment = try await firstComment()
            try await comment.reload()
        },
        GemCall("Comment.delete(1, post_id: 1)") { try await Comment.delete(1, prefix: ["post_id": 1]) },
        GemCall("Comment.build(post_id: 1)") { _ = try await Comment.build(prefix: ["post_id": 1]) },
        GemCall("Comment.exists?(1, params: { post_id: 1 })") {
            _ = try await Comment.exists(1, prefix: ["post_id": 1])
        },
        GemCall(#"FreeComment.create(post_id: 1, text: "Hm")"#) {
            _ = try await Gem.FreeComment.create(["post_id": 1, "text": "Hm"])
        },
        GemCall(#"Member.find(7, params: { team_id: "a/b c" })"#) {
            _ = try await Gem.Member.find(7, prefix: ["team_id": "a/b c"])
        },
        GemCall("Member.all(params: { team_id: 3, q: 1 }).to_a") {
            _ = try await Gem.Member.where(["team_id": 3, "q": 1]).records
        },
        GemCall(#"Note.find("hello-1")"#) { _ = try await Gem.Note.find("hello-1") },
        GemCall(#"Note.new({ slug: "a", text: "Hm" }, true).save"#) {
            var note = Gem.Note(id: "a", text: "Hm", resource: ResourceState(isPersisted: true))
            _ = try await note.save()
        },
    ]

    private static func firstComment() async throws -> Comment { try await Comment.find(1, prefix: ["post_id": 1]) }

    private static let associated = [
        GemCall("Post.find(1).comments.to_a") { _ = try await Post.find(1).comments.records },
        GemCall(#"Post.find(1, params: { include: "comments" }).comments.to_a"#) {
            _ = try await Post.find(1, query: ["include": "comments"]).comments.records
        },
        GemCall("Post.find(1).poster") { _ = try await Post.find(1).poster.record },
        GemCall(#"Post.find(1, params: { include: "poster" }).poster"#) {
            _ = try await Post.find(1, query: ["include": "poster"]).poster.record
        },
        GemCall(#"Post.create(title: "Kettles", comments_attributes: [{ text: "Blue" }, { text: "Red" }])"#) {
            let comments = [Gem.NestedComment(text: "Blue"), Gem.NestedComment(text: "Red")]
            _ = try await Post(title: "Kettles", nestedComments: comments).saved()
        },
        GemCall(
            #"Post.find(1).tap { |p| p.comments_attributes = [{ id: 1, text: "New" }, { id: 2, _destroy: true }] }.save"#
        ) {
            var post = try await Post.find(1)
            post.nestedComments = [Gem.NestedComment(id: 1, text: "New"), Gem.NestedComment(id: 2, isDeleted: true)]
            _ = try await post.save()
        },
        GemCall(#"Post.create(title: "x" * 81)"#) {
            let post = try await Post.create(["title": String(repeating: "x", count: 81)])
            #expect(post.errors["title"] == ["is too long (maximum is 80 characters)"])
        },
        GemCall("Person.find(1).posts.to_a") { _ = try await Person.find(1).posts.records },
        GemCall("Address.find(params: { person_id: 1 })") { _ = try await firstAddress() },
        GemCall(#"Address.find(params: { person_id: 1 }).tap { |a| a.city = "Ulm" }.save"#) {
            var address = try await firstAddress()
            _ = try await address.update { $0.city = "Ulm" }
        },
        GemCall("Address.find(params: { person_id: 1 }).destroy") { try await firstAddress().destroy() },
        GemCall(#"Address.create(person_id: 2, city: "Ulm")"#) {
            _ = try await Address.create(["person_id": 2, "city": "Ulm"])
        },
        GemCall(#"Address.create(person_id: 2, city: "")"#) {
            _ = try await Address.create(["person_id": 2, "city": ""])
        },
        GemCall("Address.find(params: { person_id: 3 })") { _ = try await Address.find(prefix: ["person_id": 3]) },
        GemCall("Address.find") { _ = try await Address.find() },
    ]

    private static func firstAddress() async throws -> Address { try await Address.find(prefix: ["person_id": 1]) }

    private static let methods = [
        GemCall("Person.get(:active)") { let _: [Person] = try await Person.get("active") },
        GemCall("Person.get(:positions)") {
            let positions: JSON = try await Person.get("positions")
            #expect(positions[0].string == "Clerk")
        },
        GemCall("Person.get(:active, limit: 1)") { let _: [Person] = try await Person.get("active", ["limit": 1]) },
        GemCall("Person.delete(:expunge)") { try await Person.delete(named: "expunge") },
        GemCall("Person.delete(:expunge, dry: true)") { try await Person.delete(named: "expunge", ["dry": true]) },
        GemCall(#"Person.post(:import, { dry: true }, '{"a":1}')"#) {
            try await Person.post("import", ["dry": true], body: ["a": 1])
        },
        GemCall(#"Person.put(:sort, { by: "name" }, "[1]")"#) {
            try await Person.put("sort", ["by": "name"], body: [1])
        },
        GemCall(#"Person.patch(:touch, {}, "{}")"#) { try await Person.patch("touch", body: [:]) },
        GemCall("Person.find(1).get(:edit)") { let _: Person = try await Person.find(1).get("edit") },
        GemCall(#"Person.find(1).put(:promote, position: "Manager")"#) {
            try await Person.find(1).put("promote", ["position": "Manager"])
        },
        GemCall(#"Person.find(1).put(:promote, { position: "Manager" }, '{"by":2}')"#) {
            try await Person.find(1).put("promote", ["position": "Manager"], body: ["by": 2])
        },
        GemCall(#"Person.find(1).patch(:promote, position: "Manager")"#) {
            try await Person.find(1).patch("promote", ["position": "Manager"])
        },
        GemCall(#"Person.find(1).post(:promote, position: "Manager")"#) {
            try await Person.find(1).post("promote", ["position": "Manager"])
        },
        GemCall(#"Person.find(1).post(:promote, { position: "Manager" }, '{"by":2}')"#) {
            try await Person.find(1).post("promote", ["position": "Manager"], body: ["by": 2])
        },
        GemCall("Person.find(1).delete(:deactivate)") { try await Person.find(1).delete("deactivate") },
        GemCall(#"Person.new(name: "Ann").post(:register)"#) { try await Person(name: "Ann").post("register") },
        GemCall(#"Person.new(name: "Ann").post(:register, { a: 1 }, '{"name":"Bo"}')"#) {
            try await Person(name: "Ann").post("register", ["a": 1], body: ["name": "Bo".json])
        },
        GemCall("Comment.get(:recent, post_id: 1)") {
            let _: [Comment] = try await Comment.get("recent", ["post_id": 1])
        },
        GemCall("Comment.find(1, params: { post_id: 1 }).put(:promote, by: 2)") {
            try await firstComment().put("promote", ["by": 2])
        },
    ]

    private static let statuses = [400, 401, 402, 403, 405, 409, 410, 412, 418, 422, 429, 451, 500, 599, 301].map {
        code in GemCall("Status.find(\(code))") { _ = try await Gem.Status.find(code) }
    }
}

extension ResourceSite {
    /// A site with another path or user, as a subclass with another URL has.
    fileprivate func moved(to path: String = "", user: String? = nil, password: String? = nil) -> ResourceSite {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return self }
        components.path = path
        components.percentEncodedUser = user
        components.percentEncodedPassword = password
        return ResourceSite(components.url ?? url)
    }
}
