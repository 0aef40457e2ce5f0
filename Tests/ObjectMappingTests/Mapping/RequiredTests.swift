import ObjectMapping
import Testing

struct RequiredTests {
    private static let mapping = Mapping(Box.init) {
        Attribute("assigned_user_id", \.int).required
        Attribute("name", \.optional).required
        Attribute("place.city", \.text).required
        Attribute("place.tags", \.texts)
        Attribute("list.@count", \.double).required
        Attribute("list", \.json)
        Relationship("payment", \.payment, Payment.mapping).required
    }

    @Test func `A present value is not an issue`() throws {
        let text = #"{"assigned_user_id": 1, "name": "a", "place": {"city": "Rome"}, "list": [], "payment": {}}"#
        let box = try Self.mapping.map(text)
        #expect(box.int == 1 && box.text == "Rome" && box.double == 0 && box.payment == Payment())
    }

    @Test func `An absent value is an issue that suggests keys`() {
        expectIssues(
            """
            1:1 $.assigned_user_id: expected the key 'assigned_user_id', found no such key \
            (rule assigned_user_id -> Box.int); did you mean 'assignedUserID'?
            1:1 $.name: expected the key 'name', found no such key (rule name -> Box.optional); did you mean 'nmae'?
            1:1 $.list: expected the key 'list', found no such key (rule list.@count -> Box.double)
            1:1 $.payment: expected the key 'payment', found no such key (rule payment -> Box.payment)
            1:47 $.place.city: expected the key 'city', found no such key (rule place.city -> Box.text); did you mean 'cty'?
            """
        ) { _ = try Self.mapping.map(#"{"assignedUserID": 1, "nmae": "a", "place":   {"cty": 1}}"#) }
    }

    @Test func `Null is an issue for a property that is not optional`() {
        expectIssues(
            """
            1:22 $.assigned_user_id: expected an integer, found null (rule assigned_user_id -> Box.int)
            1:50 $.place.city: expected a string, found null (rule place.city -> Box.text)
            """
        ) {
            _ = try Self.mapping.map(
                #"{"assigned_user_id": null, "place":    {"city":  null}, "name": null, "list": [], "payment": null}"#)
        }
    }

    @Test(arguments: [("null", "null"), ("5", "a number"), ("\"x\"", "a string")])
    func `A component that is not an object is an issue`(value: String, kind: String) {
        expectIssues("1:11 $.place: expected an object, found \(kind) (rule place.city -> Box.text)") {
            let text = #"{"place": V, "assigned_user_id": 1, "name": "a", "list": [], "payment": {}}"#
            _ = try Self.mapping.map(text.replacing("V", with: value))
        }
    }

    @Test func `A component that only optionals need can be null`() throws {
        let mapping = Mapping(Box.init) { Attribute("a.b", \.optional).required }
        #expect(try mapping.map(#"{"a": null}"#).optional == nil)
        expectIssues("1:1 $.a: expected the key 'a', found no such key (rule a.b -> Box.optional)") {
            _ = try mapping.map("{}")
        }
    }

    @Test func `A component that another rule reads, too, is required`() {
        let mapping = Mapping(Box.init) {
            Attribute("a", \.json)
            Attribute("a.b", \.int).required
        }
        expectIssues("1:1 $.a: expected the key 'a', found no such key (rule a.b -> Box.int)") {
            _ = try mapping.map("{}")
        }
        expectIssues("1:7 $.a.b: expected the key 'b', found no such key (rule a.b -> Box.int)") {
            _ = try mapping.map(#"{"a": {}}"#)
        }
    }

    @Test func `A path through an array requires the value of at least one element`() {
        let mapping = Mapping(Box.init) { Attribute("a.b", \.ints).required }
        expectIssues("1:7 $.a: expected a value at 'b', found no value (rule a.b -> Box.ints)") {
            _ = try mapping.map(#"{"a": [{}, {"c": 1}]}"#)
        }
    }

    @Test func `A value that is not an object has no keys`() {
        let mapping = Mapping(Box.init) {
            Attribute("", \.json)
            Attribute("id", \.int).required
        }
        expectIssues("1:2 $[0].id: expected the key 'id', found no such key (rule id -> Box.int)") {
            _ = try mapping.mapAll("[5]")
        }
    }

    @Test(arguments: [(99, ["user_id"]), (100, ["k0.userId", "k1.userId", "k2.userId"])])
    func `Suggestions are searched among the first 100 keys, then one level lower`(before: Int, suggestions: [String])
        throws
    {
        let mapping = Mapping(Box.init) { Attribute("userID", \.int).required }
        let others = (0..<before).map { "\"k\($0)\": {\"userId\": 0}, " }.joined()
        let error = #expect(throws: MappingError.self) { try mapping.map("{\(others)\"user_id\": 1}") }
        #expect(error?.issues.map(\.suggestions) == [suggestions])
    }

    @Test func `Many absent keys do not read a large object again for each`() {
        let mapping = Mapping(Box.init) {
            for number in 0..<400 { Attribute("absent\(number)", \.int).required }
        }
        let members = (0..<40_000).map { "\"key number \($0)\": [true]" }.joined(separator: ",")
        let clock = ContinuousClock()
        let start = clock.now
        let error = #expect(throws: MappingError.self) { try mapping.map("{\(members)}") }
        #expect(clock.now - start < .seconds(60))
        #expect(error?.issues.count == 400)
    }
}
