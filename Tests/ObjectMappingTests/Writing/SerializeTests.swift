import Foundation
import ObjectMapping
import Testing

struct SerializeTests {
    private let profile = {
        var profile = WrittenUser()
        profile.id = 7
        profile.name = "Ada \"A\" Byron"
        profile.born = Date(timeIntervalSince1970: 1_000_000_000.5)
        profile.address = WrittenUser.Address(street: nil, city: "London", zip: "N1")
        profile.scores = [1, 2.5]
        profile.tags = ["math", "b", "a"]
        profile.postCount = 3
        profile.friends = [WrittenFriend(id: 1, name: "Charles"), WrittenFriend(id: 2)]
        return profile
    }()

    @Test func `Members are in the order of the rules, and key paths share objects`() throws {
        #expect(
            try text(profile, WrittenUser.mapping) == """
                {"id":7,"name":"Ada \\"A\\" Byron","address":{"city":"London","geo":{"zip":"N1"}},"is_admin":false,\
                "born":"2001-09-09T01:46:40.500Z","scores":[1,2.5],"tags":["a","b","math"],\
                "friends":[{"id":1,"name":"Charles"},{"id":2}]}
                """)
    }

    @Test func `The written JSON is read as an equal model`() throws {
        var expected = profile
        expected.postCount = 0
        #expect(try WrittenUser.mapping.map(WrittenUser.mapping.serialize(profile)) == expected)
        #expect(try WrittenUser.mapping.map(WrittenUser.mapping.json(of: profile)) == expected)
    }

    @Test func `Objects of key paths are omitted without members`() throws {
        let mapping = Mapping(WrittenUser.Address.init) {
            Attribute("a.street", \.street)
            Attribute("a.b.zip", \.zip)
        }
        #expect(try text(WrittenUser.Address(), mapping) == "{}")
        #expect(try text(WrittenUser.Address(zip: "1"), mapping) == #"{"a":{"b":{"zip":"1"}}}"#)
        #expect(
            try text(WrittenUser.Address(), mapping, WritingOptions(whenNil: .null))
                == #"{"a":{"street":null,"b":{"zip":null}}}"#)
    }

    @Test func `A rule takes precedence over the options for nil`() throws {
        let mapping = Mapping(WrittenUser.init) {
            Attribute("nickname", \.nickname).whenNil(.null)
            Attribute("born", \.born).whenNil(.omit)
            Attribute("street", \.address.street)
            Relationship("best", \.best).whenNil(.null)
        }
        #expect(try text(WrittenUser(), mapping) == #"{"nickname":null,"best":null}"#)
        #expect(
            try text(WrittenUser(), mapping, WritingOptions(whenNil: .null))
                == #"{"nickname":null,"street":null,"best":null}"#)
    }

    @Test(arguments: [
        ("", "{}"), ("user", #"{"user":{}}"#), ("data.user", #"{"data":{"user":{}}}"#), ("a\\.b", #"{"a.b":{}}"#),
        ("q\"", #"{"q\"":{}}"#),
    ])
    func `A root key contains everything, even nothing`(key: String, expected: String) throws {
        #expect(
            try text(WrittenUser.Address(), Mapping(WrittenUser.Address.init) {}, rootKey: JSONKeyPath(key)) == expected
        )
    }

    @Test func `A sequence is written as an array, also under a root key`() throws {
        let friends = [WrittenFriend(id: 1), WrittenFriend(id: 2, name: "B")]
        let bytes = try WrittenFriend.mapping.serialize(friends.lazy.filter { $0.id > 0 }, rootKey: "friends")
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"friends":[{"id":1},{"id":2,"name":"B"}]}"#)
        #expect(try WrittenFriend.mapping.json(of: [WrittenFriend]()).text == "[]")
        #expect(try WrittenFriend.mapping.mapAll(bytes, at: "friends") == friends)
    }

    @Test func `A sequence is written with one model per line`() throws {
        let bytes = try WrittenFriend.mapping.serialize(
            [WrittenFriend(id: 1), WrittenFriend(id: 2)], each: .line, options: WritingOptions(isPrettyPrinted: true))
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"id\":1}\n{\"id\":2}\n")
        #expect(try WrittenFriend.mapping.mapAll(bytes, each: .line).map(\.id) == [1, 2])
    }

    @Test func `Pretty-printed models have the format of a JSON tree`() throws {
        let options = WritingOptions(whenNil: .null, isPrettyPrinted: true)
        let pretty = try text(profile, WrittenUser.mapping, rootKey: "a.b", options)
        #expect(pretty == (try WrittenUser.mapping.json(of: profile, rootKey: "a.b", options: options)).prettyPrinted)
        #expect(
            try text(WrittenFriend(id: 1), WrittenFriend.mapping, options) == """
                {
                  "id": 1,
                  "name": null,
                  "since": null
                }
                """)
    }

    @Test(arguments: [
        "a.b", "dot.", "\"", "\n\u{0}", "é", "", "{x}", "@count", "a key of more than sixteen bytes: long",
    ])
    func `Keys are written as they are read`(key: String) throws {
        let mapping = Mapping(WrittenUser.init) {
            Attribute([key], \.id)
            Attribute([key + "2", key], \.name)
        }
        var profile = WrittenUser()
        (profile.id, profile.name) = (3, "n")
        let bytes = try mapping.serialize(profile)
        #expect(try JSON(bytes) == .object([key: 3, key + "2": .object([key: .string("n")])]))
        #expect(try mapping.map(bytes) == profile)
    }

    @Test func `Read-only rules are not written`() throws {
        struct Thing {
            var id = 1, count = 2, parent = 3, root = 4, extra: Int? = 5, index = 6, first = 7
        }
        let mapping = Mapping(Thing.init) {
            Attribute("id", \.id)
            Attribute("things.@count", \.count)
            Attribute("@count", \.count)
            Attribute(.parent("id"), \.parent)
            Attribute("@parent.id", \.parent)
            Attribute(.root("x"), \.root)
            Attribute(.metadata("x"), \.extra)
            Attribute(.index, \.index)
            Attribute(.first(.parent("id"), "first.id", "second"), \.first)
        }
        #expect(try text(Thing(), mapping) == #"{"id":1,"first":{"id":7}}"#)
    }

    @Test func `Classes are written by mappings that refer to each other`() throws {
        let ring = WrittenRing("a", next: WrittenRing("b", next: WrittenRing("c")), others: [WrittenRing("d")])
        ring.size = 5
        #expect(
            try text(ring, WrittenRing.mapping) == """
                {"name":"a","size":5,"next":{"name":"b","next":{"name":"c","others":[]},"others":[]},\
                "others":[{"name":"d","others":[]}]}
                """)
        let person = Person()
        person.home.owner = Person()
        #expect(
            try text(person, Person.mapping) == """
                {"name":"nobody","age":30,"languages":["none"],"home":{"city":"nowhere","owner":{"name":"nobody",\
                "age":30,"languages":["none"],"home":{"city":"nowhere"},"houses":[],"team":[]}},"houses":[],"team":[]}
                """)
    }

    @Test func `Every kind of property is written`() throws {
        var note = Note()
        note.labels = nil
        note.observed = 4
        note.link = URL(string: "https://example.com/a?b=c")
        #expect(
            try text(note, Note.mapping) == """
                {"id":1,"title":"untitled","rating":0.5,"pinned":true,"due":"1970-01-01T00:00:00.000Z","tags":["new"],\
                "codes":[7],"status":"open","link":"https://example.com/a?b=c","depth":3,"count":9,\
                "upper":"UNTITLED","observed":4,"place":{"city":"nowhere"}}
                """)
    }

    @Test func `Created models are written by their values`() throws {
        struct Values {
            var id = 0, name = ""
            static let mapping = Mapping(Values.init) {
                Attribute("id", \.id)
                Attribute("name", \.name)
            }
        }
        final class Made: Mappable, Sendable {
            let id: Int, name: String
            init(_ values: Values) { (id, name) = (values.id, values.name) }
            static let mapping = Mapping(
                Made.init, from: Values.mapping, values: { Values(id: $0.id, name: $0.name) })
        }
        struct Holder {
            var one: Made? = Made(Values(id: 1, name: "a"))
            var many = [Made(Values(id: 2)), Made(Values(id: 3))]
        }
        let mapping = Mapping(Holder.init) {
            Relationship("one", \.one)
            Relationship("many", \.many)
        }
        let expected = #"{"one":{"id":1,"name":"a"},"many":[{"id":2,"name":""},{"id":3,"name":""}]}"#
        #expect(try text(Holder(), mapping) == expected)
        #expect(try text(mapping.map(expected), mapping) == expected)
    }

    @Test func `A mapping is written by many threads at once`() async throws {
        let mapping = Mapping(WrittenUser.init) {
            Attribute("id", \.id)
            Relationship("friends", \.friends)
        }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try text(profile, mapping) } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == [#"{"id":7,"friends":[{"id":1,"name":"Charles"},{"id":2}]}"#])
    }
}
