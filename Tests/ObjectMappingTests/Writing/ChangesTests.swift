import ObjectMapping
import Testing

struct ChangesTests {
    private static let old = {
        var profile = WrittenUser()
        (profile.id, profile.name, profile.nickname) = (7, "Ada", "A")
        profile.address = WrittenUser.Address(street: "S", city: "London", zip: "N1")
        profile.tags = ["a", "b", "c"]
        profile.best = WrittenFriend(id: 1, name: "Charles", since: Date(timeIntervalSince1970: 0))
        profile.friends = [WrittenFriend(id: 1), WrittenFriend(id: 2)]
        return profile
    }()

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var change: @Sendable (inout WrittenUser) -> Void
        var patch: String?
        var withIdentity: String?

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "nothing", change: { _ in }),
        Case(
            name: "what is not written", change: { $0.postCount = 9 }),
        Case(
            name: "a value", change: { $0.name = "Grace" }, patch: #"{"name":"Grace"}"#,
            withIdentity: #"{"id":7,"name":"Grace"}"#),
        Case(
            name: "to nil", change: { $0.nickname = nil }, patch: #"{"nickname":null}"#,
            withIdentity: #"{"id":7,"nickname":null}"#),
        Case(
            name: "from nil", change: { $0.born = Date(timeIntervalSince1970: 1) },
            patch: #"{"born":"1970-01-01T00:00:01.000Z"}"#,
            withIdentity: #"{"id":7,"born":"1970-01-01T00:00:01.000Z"}"#),
        Case(
            name: "below keys", change: { $0.address.zip = "N2" }, patch: #"{"address":{"geo":{"zip":"N2"}}}"#,
            withIdentity: #"{"id":7,"address":{"geo":{"zip":"N2"}}}"#),
        Case(
            name: "to nil below keys",
            change: {
                $0.address.zip = nil
                $0.address.street = nil
            }, patch: #"{"address":{"geo":{"zip":null},"street":null}}"#,
            withIdentity: #"{"id":7,"address":{"geo":{"zip":null},"street":null}}"#),
        Case(
            name: "an object's own changes", change: { $0.best?.name = "C" }, patch: #"{"best":{"name":"C"}}"#,
            withIdentity: #"{"id":7,"best":{"id":1,"name":"C"}}"#),
        Case(
            name: "an object to nil", change: { $0.best = nil }, patch: #"{"best":null}"#,
            withIdentity: #"{"id":7,"best":null}"#),
        Case(
            name: "another object", change: { $0.best = WrittenFriend(id: 2) },
            patch: #"{"best":{"id":2,"name":null,"since":null}}"#,
            withIdentity: #"{"id":7,"best":{"id":2,"name":null,"since":null}}"#),
        Case(
            name: "arrays whole", change: { $0.friends[1].name = "B" },
            patch: #"{"friends":[{"id":1},{"id":2,"name":"B"}]}"#,
            withIdentity: #"{"id":7,"friends":[{"id":1},{"id":2,"name":"B"}]}"#),
        Case(
            name: "arrays in order", change: { $0.friends.reverse() }, patch: #"{"friends":[{"id":2},{"id":1}]}"#,
            withIdentity: #"{"id":7,"friends":[{"id":2},{"id":1}]}"#),
        Case(
            name: "sets whole", change: { $0.tags.remove("b") }, patch: #"{"tags":["a","c"]}"#,
            withIdentity: #"{"id":7,"tags":["a","c"]}"#),
        Case(
            name: "the identity", change: { $0.id = 8 }, patch: #"{"id":8}"#, withIdentity: #"{"id":8}"#),
    ]

    @Test(arguments: cases) func `A patch contains the changes`(example: Case) throws {
        var new = Self.old
        example.change(&new)
        let mapping = WrittenUser.mapping
        #expect(try mapping.changes(of: new, from: Self.old)?.text == example.patch)
        #expect(try mapping.changes(of: new, from: Self.old, includingIdentity: true)?.text == example.withIdentity)
        let bytes = try mapping.serialize(new, changedFrom: Self.old, rootKey: "user")
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"user":\#(example.patch ?? "{}")}"#)
        let merged = mergePatch(try mapping.json(of: Self.old), example.patch.map(table) ?? [:])
        #expect(withoutEmptyObjects(merged) == withoutEmptyObjects(try mapping.json(of: new)))
        var patched = Self.old
        try mapping.apply(example.patch ?? "{}", to: &patched)
        #expect(try mapping.json(of: patched) == mapping.json(of: new))
        let snapshot = try mapping.json(of: Self.old)
        #expect(try mapping.changes(of: new, from: snapshot)?.text == example.patch)
        #expect(try mapping.serialize(new, changedFrom: snapshot) == Data((example.patch ?? "{}").utf8))
    }

    @Test func `A patch does not remove members without a rule below a key path`() throws {
        struct Flat {
            var city: String?, zip: String?, tags: [String]?
            static let mapping = Mapping(Flat.init) {
                Attribute("address.city", \.city)
                Attribute("address.geo.zip", \.zip)
                Attribute("labels.all", \.tags)
            }
        }
        let patch = { (new: Flat, old: JSON) throws -> String? in
            try Flat.mapping.changes(of: new, from: old)?.text
        }
        let old = Flat(city: "Bonn", zip: "53", tags: ["a"])
        #expect(
            try Flat.mapping.changes(of: Flat(), from: old)?.text
                == #"{"address":{"city":null,"geo":{"zip":null}},"labels":{"all":null}}"#)
        let stored = table(#"{"address":{"city":"Bonn","planet":"Earth","geo":{"lat":1}},"labels":{"own":1}}"#)
        #expect(try patch(Flat(), stored) == #"{"address":{"city":null}}"#)
        #expect(try patch(Flat(), table(#"{"address":{"geo":{"lat":1}},"labels":{}}"#)) == nil)
        #expect(try patch(Flat(), table(#"{"address":"Bonn"}"#)) == #"{"address":null}"#)
    }

    @Test func `The earlier state of an object is kept as JSON`() throws {
        let ring = WrittenRing("a", next: WrittenRing("b"))
        ring.size = 1
        let old = try WrittenRing.mapping.json(of: ring)
        ring.next?.name = "c"
        ring.size = nil
        #expect(try WrittenRing.mapping.changes(of: ring, from: old)?.text == #"{"next":{"name":"c"},"size":null}"#)
        #expect(try WrittenRing.mapping.changes(of: ring, from: ring) == nil)
    }

    @Test func `Keys without a rule are unchanged`() throws {
        let old = table(#"{"id":1,"name":"n","since":null,"extra":1,"more":{"x":1}}"#)
        #expect(try WrittenFriend.mapping.changes(of: WrittenFriend(id: 1, name: "n"), from: old) == nil)
        #expect(try WrittenFriend.mapping.changes(of: WrittenFriend(id: 1), from: old)?.text == #"{"name":null}"#)
    }

    @Test func `A patch removes elements of a union, and needs no required keys`() throws {
        struct Post {
            var title = ""
            var tags: [String] = []
            var note: String? = "n/a"
        }
        let mapping = Mapping(Post.init) {
            Attribute("title", \.title).required
            Attribute("tags", \.tags).policy(.union)
            Attribute("note", \.note).whenAbsent(.clear)
        }
        var post = Post(title: "t", tags: ["a", "b"], note: "n")
        try mapping.apply(#"{"tags": ["a"]}"#, to: &post)
        #expect(post.tags == ["a"] && post.title == "t" && post.note == "n")
        try mapping.update(&post, from: #"{"title": "u", "tags": ["c"]}"#)
        #expect(post.tags == ["a", "c"] && post.note == nil)
    }

    @Test func `A patch does not change other properties at a key path`() throws {
        struct Visit {
            var city = ""
            var since = Date(timeIntervalSince1970: 0.123456)
        }
        let mapping = Mapping(Visit.init) {
            Attribute("address.city", \.city)
            Attribute("address.since", \.since)
        }
        var visit = Visit()
        try mapping.apply(#"{"address": {"city": "Paris"}}"#, to: &visit)
        #expect(visit.city == "Paris" && visit.since == Visit().since)
    }

    @Test func `A patch fails for a null in it, not for other nil properties`() throws {
        struct Author {
            var name = "", nick: String? = "none"
            static let mapping = Mapping(Author.init) {
                Attribute("name", \.name)
                Attribute("nick", \.nick).required.whenNull(.fail)
            }
        }
        struct Book { var author = Author(), others: [Author] = [] }
        let mapping = Mapping(Book.init) {
            Relationship("author", \.author, Author.mapping)
            Relationship("book.others", \.others, Author.mapping)
        }
        var book = Book(author: Author(name: "A", nick: nil), others: [Author(name: "B", nick: nil)])
        try mapping.apply(#"{"author": {"name": "C"}}"#, to: &book)
        #expect(book.author.name == "C" && book.author.nick == nil && book.others[0].nick == nil)
        expectIssues("$.author.nick: expected a string, found null (rule nick -> Author.nick)") {
            try mapping.apply(#"{"author": {"nick": null}}"#, to: &book)
        }
        expectIssues("$.book.others[0].nick: expected a string, found null (rule nick -> Author.nick)") {
            try mapping.apply(#"{"book": {"others": [{"name": "B", "nick": null}]}}"#, to: &book)
        }
    }

    @Test func `Sets are compared in any order`() throws {
        let old = table(
            #"{"id":7,"name":"","is_admin":false,"scores":[2,1],"tags":["b","a"],"friends":[],"address":{"city":""}}"#)
        var profile = WrittenUser()
        (profile.id, profile.tags, profile.scores) = (7, ["a", "b"], [1, 2])
        #expect(try WrittenUser.mapping.changes(of: profile, from: old)?.text == #"{"scores":[1,2]}"#)
    }

    @Test func `Null for nil is equal to an absent value`() throws {
        let mapping = Mapping(WrittenFriend.init) {
            Attribute("id", \.id)
            Attribute("name", \.name).whenNil(.null)
        }
        #expect(try mapping.changes(of: WrittenFriend(id: 1), from: table(#"{"id":1}"#)) == nil)
        #expect(try mapping.changes(of: WrittenFriend(id: 1), from: WrittenFriend(id: 1)) == nil)
        #expect(
            try mapping.changes(of: WrittenFriend(id: 1), from: WrittenFriend(id: 1, name: "n"))?.text
                == #"{"name":null}"#)
    }

    @Test func `Content of an attribute is merged member by member, like on servers`() throws {
        struct Thing {
            var json: JSON?
            var list: [JSON] = []
        }
        let mapping = Mapping(Thing.init) {
            Attribute("json", \.json)
            Attribute("list", \.list)
        }
        let old = Thing(json: ["a": 1, "b": ["x": 1, "y": 2]], list: [["a": 1]])
        let new = Thing(json: ["b": ["y": 3], "c": [1]], list: [["a": .null]])
        let patch = #"{"json":{"b":{"y":3,"x":null},"c":[1],"a":null},"list":[{"a":null}]}"#
        #expect(try mapping.changes(of: new, from: old)?.text == patch)
        #expect(mergePatch(try mapping.json(of: old), table(patch)) == (try mapping.json(of: new)))
    }

    @Test func `Dynamic keys and members of the object itself can change`() throws {
        struct User {
            var name = "Blake", id = 1
            var best: WrittenFriend?
        }
        let mapping = Mapping(User.init) {
            Attribute(.key, \.name)
            Attribute("{name}.user", \.id)
            Relationship(.value, \.best)
        }.identified(by: \.id)
        let old = User(best: WrittenFriend(id: 5, name: "n"))
        #expect(
            try mapping.changes(of: User(best: WrittenFriend(id: 5)), from: old, includingIdentity: true)?.text
                == #"{"Blake":{"user":1,"id":5,"name":null}}"#)
        #expect(
            try mapping.changes(of: User(name: "B"), from: old)?.text == #"{"B":{"user":1},"Blake":null}"#)
        #expect(try mapping.changes(of: User(), from: old)?.text == #"{"Blake":{"id":null,"name":null}}"#)
    }

    @Test func `A patch has the changes of all rules that write below one key`() throws {
        struct Contact {
            var city: String?
        }
        struct User {
            var code: Int?
            var contact: Contact?
        }
        let mapping = Mapping(User.init) {
            Attribute("address.code", \.code)
            Relationship(.value, \.contact, Mapping(Contact.init) { Attribute("address.city", \.city) })
        }
        let old = User(code: 5, contact: Contact(city: "Paris"))
        #expect(try mapping.changes(of: User(code: 5), from: old)?.text == #"{"address":{"city":null}}"#)
        var user = User(code: 4, contact: Contact(city: "Paris"))
        try mapping.apply(#"{"address": {"code": 5}}"#, to: &user)
        #expect(user.code == 5 && user.contact?.city == "Paris")
    }

    @Test func `Values without a JSON form are an issue of a patch, too`() {
        var profile = WrittenUser()
        profile.scores = [.nan]
        let issue = "$.scores[0]: expected a finite number, found NaN (rule scores -> WrittenUser.scores)"
        expectIssues(issue) { _ = try WrittenUser.mapping.changes(of: profile, from: WrittenUser()) }
        expectIssues(issue) { _ = try WrittenUser.mapping.serialize(WrittenUser(), changedFrom: profile) }
        expectIssues("expected plain keys as the root key, found the key path '@count'") {
            _ = try WrittenUser.mapping.serialize(WrittenUser(), changedFrom: WrittenUser(), rootKey: "@count")
        }
    }
}

/// Returns a value without empty objects: a server keeps an object whose last member a patch removes, and a mapping omits
/// it.
func withoutEmptyObjects(_ value: JSON) -> JSON {
    guard let members = value.object else { return value }
    return .object(
        JSONObject(
            members.compactMap { key, value in
                let rest = withoutEmptyObjects(value)
                return rest.object?.isEmpty == true ? nil : (key, rest)
            }))
}

/// Applies a patch to a value according to RFC 7396.
func mergePatch(_ target: JSON, _ patch: JSON) -> JSON {
    guard let changes = patch.object else { return patch }
    var members = target.object.map(Array.init) ?? []
    for (key, value) in changes {
        let position = members.firstIndex { $0.key.unicodeScalars.elementsEqual(key.unicodeScalars) }
        if value.isNull {
            if let position { members.remove(at: position) }
        } else if let position {
            members[position].value = mergePatch(members[position].value, value)
        } else {
            members.append((key, mergePatch(.null, value)))
        }
    }
    return .object(JSONObject(members))
}
