import ObjectMapping
import TestSupport
import Testing

/// A model that can only be created with valid values.
private struct Sound: Mappable, Equatable {
    let id: Int
    static let mapping = Mapping({ Sound(id: $0.id) }, from: Mapping(Payment.init) { Attribute("id", \.id).required })
}

struct PolicyTests {
    private static let text = """
        {"all": [{"id": 1}, {"id": "x", "amount": 2}, null, 5,
          {"id": 3, "id": 4}]}
        """

    private static func read(_ policy: MappingReport.Policy, _ text: String = text) throws -> ([Payment], MappingReport)
    {
        var report = MappingReport(policy: policy)
        return (try Payment.mapping.mapAll(text, at: "all", report: &report), report)
    }

    @Test func `fail throws every issue of the payload and leaves the report unchanged`() {
        var report = MappingReport()
        #expect(report.policy == .fail)
        expectIssues(
            """
            1:28 $.all[1].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Payment.id)
            1:53 $.all[3]: expected an object, found a number
            2:13 $.all[4].id: expected unique keys, found a duplicate key (rule id -> Payment.id)
            """
        ) { _ = try Payment.mapping.mapAll(Self.text, at: "all", report: &report) }
        #expect(report.issues.isEmpty && report.rejected.isEmpty)
    }

    @Test func `skipElement skips elements with issues and reports them verbatim`() throws {
        let (models, report) = try Self.read(.skipElement)
        #expect(models.map(\.id) == [1, 4])
        #expect(report.rejected.map(\.index) == [1, 2])
        #expect(report.rejected.map(\.path) == ["$.all[1]", "$.all[3]"])
        #expect(
            report.rejected.map { String(decoding: $0.json, as: UTF8.self) } == [#"{"id": "x", "amount": 2}"#, "5"])
        #expect(
            report.rejected.flatMap(\.issues).map(\.description) == [
                "1:28 $.all[1].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Payment.id)",
                "1:53 $.all[3]: expected an object, found a number",
            ])
        #expect(report.issues.map(\.path) == ["$.all[1].id", "$.all[3]", "$.all[4].id"])
        #expect(report.warnings.map(\.line) == [2])
    }

    @Test func `collect keeps valid values`() throws {
        let (models, report) = try Self.read(.collect)
        #expect(models == [Payment(id: 1), Payment(id: 0, amount: 2), Payment(id: 4)])
        #expect(report.rejected.map(\.path) == ["$.all[3]"])
        #expect(report.issues.map(\.path) == ["$.all[1].id", "$.all[3]", "$.all[4].id"])
    }

    @Test func `An issue anywhere in an element rejects the element`() throws {
        let text = #"[{"payments": [{"id": 1}, {"id": []}]}, {"payments": [{"id": 2}]}]"#
        let mapping = Mapping(Box.init) { Relationship("payments", \.payments, Payment.mapping) }
        var skipping = MappingReport(policy: .skipElement)
        #expect(try mapping.mapAll(text, report: &skipping).map(\.payments) == [[Payment(id: 2)]])
        #expect(skipping.rejected.map(\.issues).map { $0.map(\.path) } == [["$[0].payments[1].id"]])
        var collecting = MappingReport(policy: .collect)
        let boxes = try mapping.mapAll(text, report: &collecting)
        #expect(boxes.map(\.payments) == [[Payment(id: 1), Payment()], [Payment(id: 2)]])
        #expect(collecting.rejected.isEmpty)
    }

    @Test func `A model whose initializer has invalid arguments is rejected by collect, too`() throws {
        var report = MappingReport(policy: .collect)
        #expect(
            try Sound.mapping.mapAll(#"[{"id": 1}, {}, {"id": 2}]"#, report: &report) == [Sound(id: 1), Sound(id: 2)])
        #expect(report.rejected.map { String(decoding: $0.json, as: UTF8.self) } == ["{}"])
        expectIssues("1:1 $.id: expected the key 'id', found no such key (rule id -> Payment.id)") {
            _ = try Sound.mapping.map("{}", report: &report)
        }
    }

    @Test func `map and update have one element: skipElement throws, collect keeps valid values`() throws {
        let text = #"{"id": "x", "amount": 2}"#
        var skipping = MappingReport(policy: .skipElement)
        var collecting = MappingReport(policy: .collect)
        var payment = Payment(id: 7, amount: 1)
        let expected =
            "1:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> Payment.id)"
        expectIssues(expected) { _ = try Payment.mapping.map(text, report: &skipping) }
        expectIssues(expected) { try Payment.mapping.update(&payment, from: text, report: &skipping) }
        #expect(payment == Payment(id: 7, amount: 1))
        #expect(try Payment.mapping.map(text, report: &collecting) == Payment(id: 0, amount: 2))
        try Payment.mapping.update(&payment, from: text, report: &collecting)
        #expect(payment == Payment(id: 7, amount: 2))
        #expect(collecting.issues.map(\.description) == [expected, expected])
        expectIssues("1:1 $: expected an object, found a number") {
            try Payment.mapping.update(&payment, from: "5", report: &collecting)
        }
        let person = Person()
        try Person.mapping.update(person, from: #"{"age": "x", "name": "A"}"#, report: &collecting)
        #expect(person.name == "A" && person.age == 30)
    }

    @Test(arguments: [MappingReport.Policy.fail, .skipElement, .collect])
    func `Broken JSON and a missing path always throw`(policy: MappingReport.Policy) throws {
        var report = MappingReport(policy: policy)
        expectIssues(
            """
            1:9 $[0].id: expected an integer, found a boolean (rule id -> Payment.id)
            1:23 $[1].id: expected a value after the colon, found '}'
            """
        ) { _ = try Payment.mapping.mapAll(#"[{"id": true}, {"id": }]"#, report: &report) }
        expectIssues("1:1 $: expected elements at 'a', found nothing there") {
            _ = try Payment.mapping.mapAll("[]", at: "a", report: &report)
        }
        #expect(report.issues.isEmpty && report.rejected.isEmpty)
    }

    @Test func `A broken line is a rejected element, and the other lines are read`() throws {
        let text = "{\"id\": 1}\n{\"id\": \n{\"id\": 2}3\n\n{\"id\": \"x\"}\r\n{\"id\": 3}"
        var report = MappingReport(policy: .skipElement)
        #expect(try Payment.mapping.mapAll(text, each: .line, report: &report).map(\.id) == [1, 3])
        #expect(report.rejected.map(\.index) == [1, 2, 3])
        #expect(
            report.rejected.map { String(decoding: $0.json, as: UTF8.self) } == [
                "{\"id\": ", "{\"id\": 2}3", "{\"id\": \"x\"}",
            ])
        expectIssues("2:8 $.id: expected a value after the colon, found the end of the line") {
            _ = try Payment.mapping.mapAll(text, each: .line)
        }
        let long = String(repeating: "{\"id\": 1}\n", count: 20_000)
        #expect(try Payment.mapping.mapAll(long, each: .line).count == 20_000)
    }

    @Test func `Every element is a model or rejected`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            let count = Int.random(in: 0..<200, using: &random)
            let good = #"{"id": 1, "amount": 2}"#
            let elements = (0..<count).map { _ in
                [good, good, good, #"{"id": "x"}"#, "5", #"[1]"#, #"{"amount": {"a": [1, 2]}}"#].randomElement(
                    using: &random)
                    ?? good
            }
            let bad = elements.filter { $0 != good }
            var report = MappingReport(policy: .skipElement)
            let models = try Payment.mapping.mapAll("[\(elements.joined(separator: ","))]", report: &report)
            #expect(models.count + report.rejected.count == count)
            #expect(report.rejected.map { String(decoding: $0.json, as: UTF8.self) } == bad)
            #expect(report.rejected.map(\.index) == elements.indices.filter { elements[$0] != good })
        }
    }

    @Test func `Values without text are rejected without positions`() throws {
        var report = MappingReport(policy: .skipElement)
        _ = try Payment.mapping.mapAll(table(#"[{"id": true}]"#), report: &report)
        let expected = "$[0].id: expected an integer, found a boolean (rule id -> Payment.id)"
        #expect(report.issues.map(\.description) == [expected])
        #expect(report.rejected.first?.issues.map(\.description) == [expected])
        #expect(report.rejected.first?.json == Data(#"{"id":true}"#.utf8))
    }

    @Test func `Objects of skipped elements are freed`() throws {
        weak var member: House?
        let mapping = Mapping({ House() }) { Attribute("city", \.city) }
        do {
            var report = MappingReport(policy: .skipElement)
            let kept = try mapping.mapAll(#"[{"city": []}, {"city": "Rome"}, {"city": {}}]"#, report: &report)
            #expect(kept.map(\.city) == ["Rome"])
            member = kept.first
        }
        #expect(member == nil)
    }

    @Test func `The description of a report has no values, its details have them`() throws {
        let (_, report) = try Self.read(.skipElement, #"{"all": [{"id": "secret"}]}"#)
        #expect(
            "\(report)" == """
                1:17 $.all[0].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Payment.id)
                $.all[0]: skipped because of 1 issue
                """)
        #expect(
            report.details == """
                1:17 $.all[0].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Payment.id), value "secret"
                $.all[0]: skipped because of 1 issue, {"id": "secret"}
                """)
    }
}
