import ObjectMapping
import Testing

struct MapAllTests {
    private static func ids(_ text: String, _ path: JSONKeyPath = "") throws -> [Int] {
        try Payment.mapping.mapAll(text, at: path).map(\.id)
    }

    @Test(arguments: [
        (#"[{"id": 1}, {"id": 2}]"#, "", [1, 2]), (#"{"id": 1}"#, "", [1]), ("null", "", []), ("[]", "", []),
        (#"[null, {"id": 3}, null]"#, "", [3]), (#"{"a": [{"id": 1}]}"#, "a", [1]), (#"{"a": {"id": 4}}"#, "a", [4]),
        (#"{"a": null}"#, "a", []), (#"{"a": null}"#, "a.b", []),
        (#"{"x": [1, {"a": {}}], "a": {"b": [{"id": 1}]}}"#, "a.b", [1]),
        (#"{"a": [{"b": [{"id": 1}]}, {}, {"b": {"id": 2}}, {"b": [null]}, 5]}"#, "a.b", [1, 2]),
        (#"[{"a": {"id": 1}}, {"a": {"id": 2}}]"#, "a", [1, 2]), (#"{"a.b": [{"id": 1}]}"#, "a\\.b", [1]),
        (#"{"\u0061": [{"id": 1}]}"#, "a", [1]), (#"{"": [{"id": 1}]}"#, "a", nil as [Int]?),
    ])
    func `The elements at a key path are mapped`(text: String, path: String, ids: [Int]?) throws {
        guard let ids else { return _ = #expect(throws: MappingError.self) { try Self.ids(text, JSONKeyPath(path)) } }
        #expect(try Self.ids(text, JSONKeyPath(path)) == ids)
    }

    @Test func `A missing path is an error that names the existing keys`() {
        let text = #"{"data": {"projects": [], "users": []}}"#
        expectIssues("1:1 $: expected elements at 'data.user', found the keys projects, users; did you mean 'users'?") {
            _ = try Self.ids(text, "data.user")
        }
        expectIssues("1:1 $: expected elements at 'all', found the keys id, name, note") {
            _ = try Self.ids(#"[{"id": 1, "name": ""}, {"name": "", "id": 2, "note": ""}, {"id": 3}]"#, "all")
        }
        expectIssues("1:1 $: expected elements at 'a', found nothing there") { _ = try Self.ids("[]", "a") }
        expectIssues("1:1 $: expected elements at 'a', found nothing there") { _ = try Self.ids("{}", "a") }
    }

    @Test func `A key in another Unicode normal form is another key`() throws {
        let text = "{\"e\u{301}\": [{\"id\": 1}], \"\u{E9}\": [{\"id\": 2}]}"
        #expect(try Self.ids(text, "\u{E9}") == [2])
        #expect(try Self.ids(text, "e\u{301}") == [1])
    }

    @Test func `Operators and mistakes in the path are issues of the call`() {
        expectIssues("expected keys joined by dots, found operators in the key path 'a.@count'") {
            _ = try Self.ids("[]", "a.@count")
        }
        expectIssues(
            "expected a collection operator, found '@cuont' in the key path 'a.@cuont'; did you mean '@count'?"
        ) { _ = try Self.ids("[]", "a.@cuont") }
    }

    @Test func `Every invalid element is reported`() {
        expectIssues(
            """
            1:15 $.a[0].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Payment.id)
            1:21 $.a[1]: expected an object, found a number
            1:44 $.a[2].amount: expected a number, found an array (rule amount -> Payment.amount)
            """
        ) { _ = try Self.ids(#"{"a": [{"id": "x"}, 5, {"id": 1, "amount": []}]}"#, "a") }
    }

    @Test func `map accepts an array of one element, and suggests mapAll for others`() throws {
        #expect(try Payment.mapping.map(#"[{"id": 1}]"#).id == 1)
        expectIssues("1:1 $: expected one object (mapAll reads arrays), found an array of 2 elements") {
            _ = try Payment.mapping.map(#"[{"id": 1}, {"id": 2}]"#)
        }
        expectIssues("1:1 $: expected one object (mapAll reads arrays), found an array of 0 elements") {
            _ = try Payment.mapping.map("[]")
        }
        expectIssues("1:2 $[0]: expected an object, found null") { _ = try Payment.mapping.map("[null]") }
        expectIssues("1:1 $: expected an object, found null") { _ = try Payment.mapping.map("null") }
    }

    @Test(arguments: [
        "", " ", "[", "[{}", "[{},", "[{},]", "[{}]]", "{\"a\": [{}]", "[{\"id\": 01}]", "{\"b\": tru, \"a\": []}",
        "nul",
    ])
    func `A broken text has the message of the JSON reader`(text: String) {
        expectIssues(issues { _ = try JSON(text) }) { _ = try Self.ids(text, "") }
        expectIssues(issues { _ = try JSON(text) }) { _ = try Self.ids(text, "a") }
        expectIssues(issues { _ = try JSON(text) }) { _ = try Payment.mapping.map(text) }
    }

    @Test func `Levels count from the outermost container, for any position of the elements`() {
        let deep = #"{"a": "# + String(repeating: "[", count: 512) + String(repeating: "]", count: 512) + "}"
        for path in ["", "a", "a.b", "b"] as [JSONKeyPath] {
            expectIssues(issues { _ = try JSON(deep) }) { _ = try Self.ids(deep, path) }
        }
    }
}
