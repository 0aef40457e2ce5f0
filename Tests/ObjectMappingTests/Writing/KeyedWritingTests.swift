import ObjectMapping
import Testing

/// Dynamic keys, values whose members are the object's own, and rules that share a key.
struct KeyedWritingTests {
    private struct User: Mappable, Hashable {
        var name = "Blake"
        var id = 1
        var email: String?
        static let mapping = Mapping(User.init) {
            Attribute(.key, \.name)
            Attribute("{name}.id", \.id)
            Attribute("{name}.contact.email", \.email)
        }
    }

    private struct Group: Equatable {
        var users: [User] = []
        var one: User?
        static let mapping = Mapping(Group.init) {
            Relationship("users", \.users)
            Relationship("one", \.one)
        }
    }

    @Test func `A dynamic key contains its values`() throws {
        #expect(try text(User(), User.mapping) == #"{"Blake":{"id":1}}"#)
        let odd = User(name: "a\"b\n", id: 2, email: "x")
        #expect(try text(odd, User.mapping) == #"{"a\"b\n":{"id":2,"contact":{"email":"x"}}}"#)
        #expect(try User.mapping.map(text(odd, User.mapping)) == odd)
        let group = Group(users: [User(), odd], one: User())
        let expected =
            #"{"users":{"Blake":{"id":1},"a\"b\n":{"id":2,"contact":{"email":"x"}}},"one":{"Blake":{"id":1}}}"#
        #expect(try text(group, Group.mapping) == expected)
        #expect(try Group.mapping.map(expected) == group)
        #expect(try User.mapping.json(of: [User(), odd]).object?.keys == ["Blake", "a\"b\n"])
    }

    @Test func `A key without values is an object without members`() throws {
        let mapping = Mapping(User.init) {
            Attribute(.key, \.name)
            Attribute("{name}.email", \.email)
        }
        #expect(try text(User(), mapping) == #"{"Blake":{}}"#)
    }

    @Test func `Any number of levels of keys are merged`() throws {
        struct Sales: Equatable {
            var year = 0
            var month = ""
            var total = 0.0
            var currency = "EUR"
            static let mapping = Mapping(Sales.init) {
                Attribute(.key("year"), \.year)
                Attribute(.key("month"), \.month)
                Attribute("{year}.{month}.total", \.total)
                Attribute("{year}.currency", \.currency)
            }
        }
        let sales = [
            Sales(year: 2025, month: "12", total: 1.5), Sales(year: 2026, month: "1", total: 2),
            Sales(year: 2025, month: "11", total: 3),
        ]
        let json = try Sales.mapping.json(of: sales)
        #expect(
            json.text == """
                {"2025":{"12":{"total":1.5},"currency":"EUR","11":{"total":3}},"2026":{"1":{"total":2},"currency":"EUR"}}
                """)
        let read = try Sales.mapping.mapAll(json)
        #expect(read.count == 3 && sales.allSatisfy(read.contains))
        var other = sales
        other[2].currency = "USD"
        expectIssues("$: expected objects of different keys, found two of the same key") {
            _ = try Sales.mapping.json(of: other)
        }
    }

    @Test func `Two objects with one key are an issue`() {
        expectIssues(
            "$.users: expected objects of different keys, found two of the same key (rule users -> Group.users)"
        ) {
            _ = try Group.mapping.serialize(Group(users: [User(), User(id: 2)]))
        }
    }

    @Test func `Keys are strings and numbers`() throws {
        struct Keyed<Key: JSONConvertible & Sendable> {
            var key: Key
            var id = 1
        }
        func keyed<Key: JSONConvertible & Sendable>(_ key: Key) throws -> String {
            try text(
                Keyed(key: key),
                Mapping({ Keyed(key: key) }) {
                    Attribute(.key, \.key)
                    Attribute("{key}.id", \.id)
                })
        }
        #expect(try keyed(12) == #"{"12":{"id":1}}"#)
        #expect(try keyed(1.5) == #"{"1.5":{"id":1}}"#)
        #expect(try keyed(true) == #"{"true":{"id":1}}"#)
        #expect(try keyed(Optional("x")) == #"{"x":{"id":1}}"#)
        let issue =
            #"$["?"]: expected a text or a number as the key of an object, found another value (rule @key -> Keyed"#
        let (none, list) = (issues { _ = try keyed(String?.none) }, issues { _ = try keyed([1]) })
        #expect(none.hasPrefix(issue))
        #expect(list.hasPrefix(issue))
    }

    @Test func `Objects are written as members of an object`() throws {
        struct Rate: Mappable, Hashable {
            var code = ""
            var value = 0.0
            static let mapping = Mapping(Rate.init) {
                Attribute(.key, \.code)
                Attribute(.value, \.value)
            }
        }
        struct Table: Equatable {
            var rates: [Rate] = []
            var others: Set<Rate>?
            static let mapping = Mapping(Table.init) {
                Relationship("rates", \.rates, each: .member)
                Relationship("others", \.others, each: .member)
            }
        }
        let table = Table(
            rates: [Rate(code: "EUR", value: 1), Rate(code: "USD", value: 1.1)],
            others: [Rate(code: "b", value: 2), Rate(code: "a", value: 3)])
        let expected = #"{"rates":{"EUR":1,"USD":1.1},"others":{"a":3,"b":2}}"#
        #expect(try text(table, Table.mapping) == expected)
        #expect(try Table.mapping.map(expected) == table)
        #expect(try text(Table(), Table.mapping) == #"{"rates":{}}"#)
        let bytes = try Rate.mapping.serialize(table.rates, each: .member)
        #expect(try Rate.mapping.mapAll(bytes, each: .member) == table.rates)
        expectIssues(
            "$.rates: expected objects of different keys, found two of the same key (rule rates -> Table.rates)"
        ) {
            _ = try Table.mapping.serialize(Table(rates: [Rate(), Rate()]))
        }
        expectIssues("expected a rule with the source .key, to name the members, found no such rule") {
            _ = try WrittenFriend.mapping.serialize([WrittenFriend()], each: .member)
        }
    }

    // MARK: Members of the object itself

    private struct Coordinate: Mappable, Equatable {
        var latitude = 0.0
        var longitude = 0.0
        static let mapping = Mapping(Coordinate.init) {
            Attribute("lat", \.latitude)
            Attribute("lon", \.longitude)
        }
    }

    private struct Place: Equatable {
        var name = "p"
        var coordinate: Coordinate?
        var latitude: Double?
        var rest: JSON?
    }

    @Test func `A value of flat keys is written as flat keys`() throws {
        let mapping = Mapping(Place.init) {
            Attribute("name", \.name)
            Relationship(.value, \.coordinate)
        }
        let place = Place(coordinate: Coordinate(latitude: 1, longitude: 2))
        #expect(try text(place, mapping) == #"{"name":"p","lat":1,"lon":2}"#)
        #expect(try mapping.map(text(place, mapping)) == place)
        #expect(try text(Place(), mapping) == #"{"name":"p"}"#)
        #expect(try text(Place(), mapping, WritingOptions(whenNil: .null)) == #"{"name":"p"}"#)
    }

    @Test func `The first of two rules for one key is used, unless it has no value`() throws {
        let mapping = Mapping(Place.init) {
            Attribute("lat", \.latitude)
            Attribute("name", \.name)
            Relationship(.value, \.coordinate)
            Attribute("", \.rest)
        }
        var place = Place(coordinate: Coordinate(latitude: 1, longitude: 2))
        place.rest = ["name": 3, "more": [1, .null]]
        #expect(try text(place, mapping) == #"{"name":"p","lat":1,"lon":2,"more":[1,null]}"#)
        place.latitude = 5
        #expect(try text(place, mapping) == #"{"lat":5,"name":"p","lon":2,"more":[1,null]}"#)
        place.rest = [1]
        expectIssues(
            """
            $: expected an object, whose members are written into the enclosing one, found another value \
            (rule the value -> Place.rest)
            """
        ) { _ = try text(place, mapping) }
    }

    @Test func `Rules that share the objects of a relationship are merged`() throws {
        struct Task: Equatable {
            var ownerID: Int? = 7
            var owner: WrittenFriend? = WrittenFriend(id: 8, name: "n")
        }
        let mapping = Mapping(Task.init) {
            Attribute("owner.id", \.ownerID)
            Relationship("owner", \.owner)
        }
        #expect(try text(Task(), mapping) == #"{"owner":{"id":7,"name":"n"}}"#)
        #expect(try text(Task(ownerID: nil), mapping) == #"{"owner":{"id":8,"name":"n"}}"#)
        #expect(try text(Task(owner: nil), mapping) == #"{"owner":{"id":7}}"#)
    }

    @Test func `A model can be a value that is not an object`() throws {
        struct Currency: Mappable, Hashable {
            var code = "EUR"
            static let mapping = Mapping(Currency.init) { Attribute("", \.code) }
        }
        struct Price: Equatable {
            var currency = Currency()
            var all = [Currency(), Currency(code: "USD")]
        }
        let mapping = Mapping(Price.init) {
            Relationship("currency", \.currency)
            Relationship("all", \.all)
        }
        #expect(try text(Currency(), Currency.mapping) == "\"EUR\"")
        #expect(try text(Price(), mapping) == #"{"currency":"EUR","all":["EUR","USD"]}"#)
        #expect(try mapping.map(text(Price(), mapping)) == Price())
        #expect(try Currency.mapping.changes(of: Currency(code: "x"), from: Currency()) == .string("x"))
        #expect(try Currency.mapping.changes(of: Currency(), from: Currency()) == nil)
    }

    @Test func `A rule for a value of the root cannot be written`() {
        let mapping = Mapping(User.init) { Attribute("{nmae}.id", \.id) }
        expectIssues("expected a rule with the source .key for the placeholder {nmae}, found no such rule") {
            _ = try mapping.serialize(User())
        }
    }
}
