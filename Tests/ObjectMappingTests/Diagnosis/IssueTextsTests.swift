import ObjectMapping
import Testing

/// One text for each kind of issue: path, position, rule, expected, found and suggestion.
struct IssueTextsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var kind: MappingIssue.Kind
        var text: String
        var description: String
        /// The additional text of `details`.
        var value: String?
        var options = MappingOptions()

        var testDescription: String { text }
    }

    private struct Model: Mappable {
        var id = 0
        var small: UInt8 = 0
        var ratio = 0.0
        var isOpen = false
        var title = ""
        var due: Date?
        var link: URL?
        var code: UUID?
        var bytes: Data?
        var price: Decimal?
        var status: Note.Status?
        var tags: [String] = []
        var city = ""
        var total = 0
        var owner: Owner?

        static let mapping = Mapping(Model.init) {
            Attribute("id", \.id).required
            Attribute("small", \.small)
            Attribute("ratio", \.ratio)
            Attribute("is_open", \.isOpen)
            Attribute("title", \.title)
            Attribute("due", \.due)
            Attribute("link", \.link)
            Attribute("code", \.code)
            Attribute("bytes", \.bytes)
            Attribute("price", \.price)
            Attribute("status", \.status)
            Attribute("tags", \.tags)
            Attribute("address.city", \.city)
            Attribute("parts.@sum.n", \.total)
            Relationship("owner", \.owner)
        }
    }

    static let cases: [Case] = [
        Case(
            kind: .syntax, text: "{\"id\": 1,\n \"title\": x}",
            description: "2:11 $.title: expected a value after the colon, found 'x'", value: #""x}""#),
        Case(
            kind: .syntax, text: #"{"id": 1, "tags": [[1]]}"#,
            description: "1:20 $.tags[0]: expected at most 2 levels of nesting, found nesting deeper than 2 levels",
            value: #""[1]]}""#, options: MappingOptions(limits: MappingLimits(depth: 2))),
        Case(
            kind: .limit, text: #"{"id": 1}"#,
            description: "1:1 $: expected a payload of at most 4 bytes, found a payload of 9 bytes", value: nil,
            options: MappingOptions(limits: MappingLimits(byteCount: 4))),
        Case(
            kind: .missing, text: #"{"Id": 1}"#,
            description:
                "1:1 $.id: expected the key 'id', found no such key (rule id -> Model.id); did you mean 'Id'?"),
        Case(
            kind: .missing, text: #"{"data": {"id": 1}}"#,
            description:
                "1:1 $.id: expected the key 'id', found no such key (rule id -> Model.id); did you mean 'data.id'?"),
        Case(
            kind: .typeMismatch, text: #"{"id": null}"#,
            description: "1:8 $.id: expected an integer, found null (rule id -> Model.id)", value: "null"),
        Case(
            kind: .typeMismatch, text: #"{"id": "x"}"#,
            description:
                "1:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> Model.id)",
            value: #""x""#),
        Case(
            kind: .typeMismatch, text: #"{"id": 1, "is_open": 2}"#,
            description: "1:22 $.is_open: expected a boolean, found a number (rule is_open -> Model.isOpen)", value: "2"
        ),
        Case(
            kind: .typeMismatch, text: #"{"id": 1, "tags": ["a", {}]}"#,
            description: "1:25 $.tags[1]: expected a string, found an object (rule tags -> Model.tags)", value: "{}"),
        Case(
            kind: .typeMismatch, text: #"{"id": 1, "owner": 7}"#,
            description: "1:20 $.owner: expected an object, found a number (rule owner -> Model.owner)", value: "7"),
        Case(
            kind: .typeMismatch, text: #"{"id": 1, "parts": [{"n": 1}, {"n": "x"}]}"#,
            description:
                "1:37 $.parts[1].n: expected a number, found a string (rule parts.@sum.n -> Model.total)"),
        Case(
            kind: .outOfRange, text: #"{"id": 9223372036854775808}"#,
            description: "1:8 $.id: expected an integer, found a number out of its range (rule id -> Model.id)",
            value: "9223372036854775808"),
        Case(
            kind: .outOfRange, text: #"{"id": 1, "small": 256}"#,
            description:
                "1:20 $.small: expected an integer from 0 to 255, found a number out of its range (rule small -> Model.small)",
            value: "256"),
        Case(
            kind: .lossy, text: #"{"id": 1.5}"#,
            description: "1:8 $.id: expected an integer, found a number with a fraction (rule id -> Model.id)",
            value: "1.5"),
        Case(
            kind: .invalidValue, text: #"{"id": 1, "due": "soon"}"#,
            description:
                "1:18 $.due: expected an ISO 8601 date or seconds since 1970, found a string that is not a date (rule due -> Model.due)",
            value: #""soon""#),
        Case(
            kind: .invalidValue, text: #"{"id": 1, "code": "x"}"#,
            description: "1:19 $.code: expected a UUID, found a string that is not a UUID (rule code -> Model.code)",
            value: #""x""#),
        Case(
            kind: .invalidValue, text: #"{"id": 1, "bytes": "?"}"#,
            description:
                "1:20 $.bytes: expected base64 data, found a string that is not base64 (rule bytes -> Model.bytes)",
            value: #""?""#),
        Case(
            kind: .invalidValue, text: #"{"id": 1, "status": "lost"}"#,
            description:
                "1:21 $.status: expected Status, found a string that is not a valid Status (rule status -> Model.status)",
            value: #""lost""#),
        Case(
            kind: .duplicateKey, text: #"{"id": 1.0, "id": {}}"#,
            description: "1:13 $.id: expected unique keys, found a duplicate key (rule id -> Model.id)",
            value: "\"id\""),
        Case(
            kind: .manyElements, text: #"[{"id": 1}, {"id": 2}]"#,
            description: "1:1 $: expected one object (mapAll reads arrays), found an array of 2 elements",
            value: #"[{"id": 1}, {"id": 2}]"#),
    ]

    @Test(arguments: cases)
    func `An issue of a payload has this text`(row: Case) throws {
        let error = try #require(throws: MappingError.self) { try Model.mapping.map(row.text, options: row.options) }
        let issue = try #require(error.issues.first { $0.kind == row.kind })
        #expect(issue.description == row.description)
        #expect(issue.details == row.description + (row.value.map { ", value \($0)" } ?? ""))
    }

    @Test func `A missing path and a mistake of a mapping have these texts`() throws {
        let text = #"{"data": {"tasks": []}}"#
        let nowhere = try #require(throws: MappingError.self) { try Model.mapping.mapAll(text, at: "data.task") }
        #expect(nowhere.issues.map(\.kind) == [.notFound])
        #expect(
            nowhere.description
                == "1:1 $: expected elements at 'data.task', found the keys tasks; did you mean 'tasks'?")
        let mapping = Mapping(Box.init) { Attribute("a.@cuont", \.int) }
        let mistake = try #require(throws: MappingError.self) { try mapping.validate() }
        #expect(mistake.issues.map(\.kind) == [.mapping])
        #expect(
            mistake.description
                == "expected a collection operator, found '@cuont' in the key path 'a.@cuont' (rule a.@cuont -> Box.int); did you mean '@count'?"
        )
    }

    @Test func `Every kind of issue has an expected text`() {
        let kinds: [MappingIssue.Kind] = [
            .syntax, .limit, .missing, .typeMismatch, .outOfRange, .lossy, .invalidValue, .notFound, .duplicateKey,
            .unreadKey, .manyElements, .mapping, .dataSource,
        ]
        let pinned = Set(Self.cases.map(\.kind) + [.notFound, .unreadKey, .mapping, .dataSource])
        #expect(kinds.allSatisfy(pinned.contains))
        for kind in kinds {
            // A new kind does not compile here: add it to the tables above.
            switch kind {
            case .syntax, .limit, .missing, .typeMismatch, .outOfRange, .lossy, .invalidValue, .notFound,
                .duplicateKey, .unreadKey, .manyElements, .mapping, .dataSource:
                continue
            }
        }
    }

    @Test(arguments: [
        (#"{"Id": 1}"#, "id", "Id"), (#"{"ID_": 1}"#, "id", "ID_"),
        (#"{"a": {"id": 1}, "b": {"id": 1}}"#, "id", "a.id"),
        (#"{"city": "x"}"#, "address.city", "city"), (#"{"address": {"Citty": "x"}}"#, "address.city", "Citty"),
        (#"{"adress": {"city": "x"}}"#, "address.city", "adress"), (#"{"city": "x"}"#, "address", nil),
        (#"{"place": {"city": "x"}}"#, "address.city", "place.city"), (#"{"x": [{"id": 1}]}"#, "id", nil),
    ])
    func `A missing key is searched in another case, misspelt, one level higher and lower`(
        text: String, path: String, suggestion: String?
    ) throws {
        let mapping = Mapping(Box.init) { Attribute(MappingSource(JSONKeyPath(path)), \.text).required }
        let error = try #require(throws: MappingError.self) { try mapping.map(text) }
        #expect(error.issues.map(\.suggestions.first) == [suggestion])
    }
}
