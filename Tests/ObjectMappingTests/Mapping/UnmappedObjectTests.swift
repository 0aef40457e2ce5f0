import ObjectMapping
import Testing

struct UnmappedObjectTests {
    struct User: Mappable {
        var id = 0
        var name = ""
        var city: String?
        static let mapping = Mapping(User.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
            Attribute("address.city", \.city)
        }
    }

    @Test(
        arguments: [
            (
                #"{"user": {"id": 1}}"#,
                "1:1 $: expected one of the mapped keys 'id', 'name', 'address.city', found only 'user'; did you mean 'user.id'?"
            ),
            (
                "\n" + #" {"nmae": "a", "x": 1}"#,
                "2:2 $: expected one of the mapped keys 'id', 'name', 'address.city', found only 'nmae', 'x'; 'nmae' is similar to 'name'"
            ),
            (
                #"{"nmae": "a"}"#,
                "1:1 $: expected one of the mapped keys 'id', 'name', 'address.city', found only 'nmae', which is similar to 'name'"
            ),
            (
                #"[{"a": [1, {}]}]"#,
                "1:2 $[0]: expected one of the mapped keys 'id', 'name', 'address.city', found only 'a'"
            ),
            (
                #"{"address": {"zip": 1}}"#,
                "1:1 $: expected one of the mapped keys 'id', 'name', 'address.city', found only 'address'"
            ),
            (
                #"{"address": "Paris"}"#,
                "1:1 $: expected one of the mapped keys 'id', 'name', 'address.city', found only 'address'"
            ),
        ]) func `An object without a mapped key is an error that names both`(payload: String, issue: String) throws
    {
        expectIssues(issue) { _ = try User.mapping.map(payload) }
        let options = MappingOptions(requiresMappedKey: false)
        #expect(try User.mapping.map(payload, options: options).id == 0)
    }

    @Test(arguments: ["{}", #"{"id": null}"#, #"{"address": null, "x": 1}"#, #"{"x": {"y": [1]}, "name": "a"}"#])
    func `An empty object and a mapped null are read`(payload: String) throws {
        #expect(try User.mapping.map(payload).id == 0)
    }

    @Test(arguments: [#"{"user": {}}"#, #"{"x": 1, "user": {"address": {}}}"#])
    func `An empty object on the path of a mapped key is an empty result`(payload: String) throws {
        let mapping = Mapping({ User() }) {
            Attribute("user.name", \.name)
            Attribute("user.address.city", \.city)
        }
        #expect(try mapping.map(payload).name == "")
        expectIssues(
            "1:1 $: expected one of the mapped keys 'user.name', 'user.address.city', found only 'user'"
        ) { _ = try mapping.map(#"{"user": {"x": {}}}"#) }
    }

    @Test func `Nested objects and updates need no mapped key`() throws {
        var user = User(id: 3)
        try User.mapping.update(&user, from: #"{"x": 1}"#)
        #expect(user.id == 3)
        let holder = Mapping({ [User]() }) { Relationship("users", \.self) }
        #expect(try holder.map(#"{"users": [{"x": 1}]}"#).count == 1)
    }

    @Test(
        arguments: [
            (#"[{"id": 1}, {"x": 1}]"#, ElementShape.element, "1:13 $[1]"),
            (#"[{"address": "Paris"}]"#, .element, "1:2 $[0]"),
            (#"{"a": {"id": 1}, "b": {"address": {"x": 1}}}"#, .member, "1:23 $.b"),
            ("{\"id\": 1}\n{\"x\": 1}", .line, "2:1 $"),
        ]) func `Each element of a collection requires a mapped key`(
            text: String, shape: ElementShape, place: String
        ) throws
    {
        let key = text.contains("address") ? "address" : "x"
        let issue = "\(place): expected one of the mapped keys 'id', 'name', 'address.city', found only '\(key)'"
        expectIssues(issue) { _ = try User.mapping.mapAll(text, each: shape) }
        #expect(User.mapping.explain(text, each: shape).issues.map(\.description) == [issue])
        let options = MappingOptions(requiresMappedKey: false)
        let all = try User.mapping.mapAll(text, each: shape, options: options)
        var report = MappingReport(policy: .skipElement)
        let kept = try User.mapping.mapAll(text, each: shape, report: &report)
        #expect(kept.count == all.count - 1)
        #expect(report.rejected.count == 1)
    }

    @Test func `Elements without a mapped key are issues on all threads and in streams`() async throws {
        let lines = Array(repeating: #"{"id": 1, "name": "a"}"#, count: 30_000).joined(separator: ",\n")
        let text = "[\(lines),\n{\"x\": 1}]"
        let issue = "30001:1 $[30000]: expected one of the mapped keys 'id', 'name', 'address.city', found only 'x'"
        expectIssues(issue) { _ = try User.mapping.mapAll(text, parallel: true) }
        let elements = User.mapping.elements(of: Array(text.utf8))
        var count = 0
        do {
            while try elements.next() != nil { count += 1 }
            Issue.record("no error")
        } catch { #expect("\(error)" == issue) }
        #expect(count == 30_000)
    }

    @Test func `A single object in place of a collection requires a mapped key`() throws {
        let issue = "1:1 $: expected one of the mapped keys 'id', 'name', 'address.city', found only 'users'"
        let text = #"{"users": [{"id": 1}]}"#
        expectIssues(issue) { _ = try User.mapping.mapAll(text) }
        expectIssues(issue) { _ = try User.mapping.elements(of: Array(text.utf8)).next() }
        #expect(User.mapping.explain(text).issues.map(\.description) == [issue])
        #expect(try User.mapping.mapAll(text, options: MappingOptions(requiresMappedKey: false)).count == 1)
        #expect(try User.mapping.mapAll(#"{"id": 1}"#).count == 1)
    }

    @Test func `A root of one object requires a mapped key`() throws {
        let payload = PayloadMapping {
            Root("user", User.mapping)
            Root("users", User.mapping)
        }
        expectIssues(
            "1:34 $.user: expected one of the mapped keys 'id', 'name', 'address.city', found only 'x'"
        ) {
            _ = try payload.map(#"{"users": [{"id": 1}],   "user": {"x": 1}}"#)
        }
        expectIssues(
            "1:31 $.users[0]: expected one of the mapped keys 'id', 'name', 'address.city', found only 'x'"
        ) { _ = try payload.map(#"{"user": {"id": 1}, "users": [{"x": 1}]}"#) }
        #expect(try payload.map(#"{"user": {"id": 1}, "users": [{"id": 1}]}"#).count == 2)
    }

    @Test func `An object under a dynamic key has no mapped key`() throws {
        let payload = PayloadMapping { Root("users", Mapping({ [Int]() }) { Attribute("{key}.ids", \.self) }) }
        #expect(try payload.map(#"{"users": {"blake": {"ids": [1]}}}"#).count == 1)
    }

    @Test func `Values of outer objects and of the whole object are mapped`() throws {
        let page = Mapping({ [Int]() }) { Attribute(.metadata("pages"), \.self) }
        #expect(try page.map(#"{"x": 1}"#, options: MappingOptions(metadata: ["pages": [1, 2]])) == [1, 2])
        struct Bag {
            var all: JSON = .null
        }
        let bag = Mapping(Bag.init) { Attribute("", \.all) }
        #expect(try bag.map(#"{"x": 1}"#).all == ["x": 1])
    }

    @Test(arguments: [#"{"x": 1"#, #"{"x": 1,}"#, #"{"x" 1}"#, #"{"x": tru}"#])
    func `A broken text has its syntax error only`(payload: String) {
        #expect(throws: MappingError.self) { try User.mapping.map(payload) }
        do { _ = try User.mapping.map(payload) } catch { #expect(error.issues.map(\.kind) == [.syntax]) }
    }
}
