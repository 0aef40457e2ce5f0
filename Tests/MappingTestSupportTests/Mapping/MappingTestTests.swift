import Foundation
import MappingTestSupport
import ObjectMapping
import TestSupport
import Testing

@Suite("Expectations of a mapping test")
struct MappingTestTests {
    struct Address: Mappable, Equatable {
        var city: String?
        static let mapping = Mapping(Address.init) { Attribute("town", \.city) }
    }

    struct User: Mappable, Equatable {
        var id = 0
        var name = ""
        var address: Address?
        var roles: [String] = []
        var friends: [User] = []
        var upper: String { name.uppercased() }

        static let mapping = Mapping(User.init) {
            Attribute("id", \.id)
            Attribute("full_name", \.name)
            Relationship("address", \.address)
            Attribute("roles", \.roles)
            Relationship("friends", \.friends)
        }
    }

    private let fixture = """
        {
          "id": 7,
          "full_name": "Blake",
          "address": {"town": "Bonn"},
          "roles": ["admin"],
          "friends": [{"id": 8}, {"id": 9}]
        }
        """

    private func failure(_ test: MappingTest<User>) -> String {
        do {
            try test.verify()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `met expectations return the model`() throws {
        let report = try MappingTest(User.mapping, fixture: fixture)
            .expect(\.name, "Blake")
            .expect(\.address?.city, "Bonn")
            .expect(\.friends) { $0.count == 2 }
            .expect("an administrator") { $0.roles.contains("admin") }
            .expect(\.upper, "BLAKE")
            .expectEveryKeyIsRead()
            .verify()
        #expect(report.model?.id == 7)
        #expect(report.issues.isEmpty)
    }

    @Test func `all failed expectations are reported, with the result of their rules`() {
        let test = MappingTest(User.mapping, fixture: fixture.replacing("full_name", with: "fullname"))
            .expect(\.id, 7)
            .expect(\.name, "Blake")
            .expect(\.address?.city, "Berlin")
            .expect(\.address?.city, nil)
            .expect(\.friends) { $0.count == 3 }
            .expect(\.friends) { _ in throw CancellationError() }
            .expect("roles") { $0.roles.isEmpty }
            .expect("an administrator") { _ in false }
            .expect(\.upper, "BLAKE")
        let friend = "MappingTestSupportTests.MappingTestTests.User"
        let friends = """
            [\(friend)(id: 8, name: "", address: nil, roles: [], friends: []), \
            \(friend)(id: 9, name: "", address: nil, roles: [], friends: [])]
            """
        #expect(
            failure(test) == """
                User: 8 failures, 9 expectations:
                  name: expected "Blake", found "" (full_name -> User.name: absent: unchanged; did you mean 'fullname'?)
                  address?.city: expected "Berlin", found "Bonn" \
                (town -> Address.city: 4:23 $.address.town, a string "Bonn": set)
                  address?.city: expected nil, found "Bonn" (town -> Address.city: 4:23 $.address.town, a string "Bonn": set)
                  friends: the closure returned false, found \(friends) \
                (friends -> User.friends: 6:14 $.friends, an array: set, 2 objects)
                  friends: the closure threw CancellationError(), found \(friends) \
                (friends -> User.friends: 6:14 $.friends, an array: set, 2 objects)
                  roles: the closure returned false (roles -> User.roles: 5:12 $.roles, an array: set)
                  an administrator: the closure returned false
                  a computed or observed property: expected "BLAKE", found ""
                """)
    }

    @Test func `a value that is computed from a property has the name and the rule of the property`() {
        let test = MappingTest(User.mapping, fixture: fixture)
            .expect(\.roles.count, 2).expect(\.address?.city?.count, 5).expect(\.name.isEmpty, false)
        #expect(
            failure(test) == """
                User: 2 failures, 3 expectations:
                  a computed value of roles: expected 2, found 1 (roles -> User.roles: 5:12 $.roles, an array: set)
                  a computed value of address?.city?: expected 5, found 4 \
                (town -> Address.city: 4:23 $.address.town, a string "Bonn": set)
                """)
    }

    @Test func `a round trip names each property that it changes`() {
        struct Note: Mappable, Equatable {
            var id = 0
            var text = ""
            var tags: [String] = []
            static let mapping = Mapping(Note.init) {
                Attribute("id", \.id)
                Attribute("text", \.text).readOnly
                Attribute("tags", \.tags).readOnly
            }
        }
        let test = MappingTest(Note.mapping, fixture: #"{"id": 7, "text": "Bonn", "tags": ["a"]}"#).expectRoundTrip()
        let failure = #expect(throws: MappingTestFailure.self) { try test.verify() }
        #expect(
            failure?.unmet == [
                #"round trip: text: expected "Bonn", found """#, #"round trip: tags: expected ["a"], found []"#,
            ])
    }

    @Test func `an unexpected issue is a failed expectation`() {
        let test = MappingTest(User.mapping, fixture: #"{"id": "seven", "full_name": "Blake"}"#)
            .expect(\.id, 7).expect(\.name, "Blake")
        #expect(
            failure(test) == """
                User: 2 failures, 2 expectations:
                  id: expected 7, found 0 (id -> User.id: 1:8 $.id, a string "seven": \
                expected an integer, found a string that cannot be converted to an integer)
                  unexpected issue: 1:8 $.id: expected an integer, found a string that cannot be converted to an integer \
                (rule id -> User.id), value "seven"
                """)
    }

    @Test func `issues can be expected`() throws {
        let fixture = #"{"id": "seven", "roles": {}}"#
        try MappingTest(User.mapping, fixture: fixture)
            .expectIssues("$.roles: expected", "1:8 $.id: expected an integer").verify()
        let test = MappingTest(User.mapping, fixture: fixture).expectIssues("$.id: expected a date")
        #expect(
            failure(test) == """
                User: 3 failures, 1 expectation:
                  expected issue did not occur: '$.id: expected a date'
                  unexpected issue: 1:8 $.id: expected an integer, found a string that cannot be converted to an integer \
                (rule id -> User.id), value "seven"
                  unexpected issue: 1:26 $.roles: expected a string, found an object \
                (rule roles -> User.roles), value {}
                """)
    }

    @Test func `broken JSON returns no model`() throws {
        let test = MappingTest(User.mapping, fixture: "{\"id\": 7").expect(\.id, 7)
        #expect(
            failure(test) == """
                User: 2 failures, 1 expectation:
                  id: no model was created (id -> User.id: 1:8 $.id, a number 7: set)
                  unexpected issue: 1:9 $: expected a comma or '}', found the end of the text
                """)
        let report = try MappingTest(User.mapping, fixture: "{").expectIssues("found the end of the text").verify()
        #expect(report.model == nil)
    }

    @Test func `keys that no rule reads are reported`() throws {
        let fixture = #"{"id": 7, "colour": 1, "friends": [{"id": 8, "_links": {}}]}"#
        let test = MappingTest(User.mapping, fixture: fixture)
        #expect(
            failure(test.expectEveryKeyIsRead()) == """
                User: 2 failures, 1 expectation:
                  $.colour: no rule reads this key
                  $.friends[*]._links: no rule reads this key
                """)
        try test.expectEveryKeyIsRead(except: "$.colour", "$.friends[*]._links").verify()
    }

    @Test func `the object can be anywhere in the fixture`() throws {
        let fixture = #"{"data": {"users": [{"id": 1, "full_name": "Blake"}]}}"#
        try MappingTest(User.mapping, fixture: fixture, at: "data.users").expect(\.name, "Blake").verify()
        #expect(
            failure(MappingTest(User.mapping, fixture: #"{"users": [{}, {}]}"#, at: "users")) == """
                User: 1 failure, 1 expectation:
                  unexpected issue: $: expected one object at 'users', found 2
                """)
    }

    @Test func `the written JSON is compared and read again`() throws {
        let test = MappingTest(User.mapping, fixture: fixture)
        try test.expectRoundTrip().verify()
        try MappingTest(Address.mapping, fixture: #"{"town": "Bonn"}"#).expectJSON(#"{"town":"Bonn"}"#).verify()
        let other = MappingTest(Address.mapping, fixture: #"{"town": "Bonn"}"#).expectJSON(#"{"city": "Bonn"}"#)
        #expect(throws: MappingTestFailure.self) { try other.verify() }
        do {
            try other.verify()
        } catch {
            #expect(error.unmet == [#"JSON: expected {"city":"Bonn"}, found {"town":"Bonn"}"#])
        }
        let readOnly = Mapping(Address.init) { Attribute("town", \.city).readOnly }
        #expect(throws: MappingTestFailure.self) {
            try MappingTest(readOnly, fixture: #"{"town": "Bonn"}"#).expectRoundTrip().verify()
        }
    }
}
