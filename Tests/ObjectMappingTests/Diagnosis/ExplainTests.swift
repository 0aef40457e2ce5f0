import ObjectMapping
import TestSupport
import Testing

private struct Sailor: Mappable {
    var name = ""
    var age: Int?
    static let mapping = Mapping(Sailor.init) {
        Attribute("name", \.name).required
        Attribute("age", \.age)
    }
}

private final class Captain: Mappable {
    let name: String
    init(_ values: Sailor) { name = values.name }
    static let mapping = Mapping(Captain.init, from: Sailor.mapping)
}

private struct Voyage: Mappable {
    var id = 0
    var title = "fresh"
    var due: Date?
    var tags: [String] = []
    var city = ""
    var zip: String?
    var total = 0
    var owner: Sailor?
    var workers: [Sailor] = []
    var chief: Captain?
    static let mapping = Mapping(Voyage.init) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("due", \.due)
        Attribute("tags", \.tags)
        Attribute("address.city", \.city)
        Attribute("address.zip", \.zip)
        Attribute("workers.@count", \.total)
        Relationship("owner", \.owner)
        Relationship("workers", \.workers)
        Relationship("chief", \.chief)
    }
}

struct ExplainTests {
    private static let text = """
        {"id": "12", "titel": "a", "due": null, "tags": "x", "address": {"city": 7, "town": "b"}, "color": {"r": 1},
         "owner": {"name": "A", "age": "old", "street": "c"},
         "workers": [{"name": "B"}, null, {"nam": "C"}, 7], "chief": {"age": 50}}
        """

    @Test func `Every rule is explained with its value and effect`() {
        #expect(
            Voyage.mapping.explain(Self.text).description == """
                $ Voyage (1:1)
                  id -> Voyage.id: 1:8 $.id, a string: set, converted to Int
                  title -> Voyage.title: absent: unchanged; did you mean 'titel'?
                  due -> Voyage.due: 1:35 $.due, null: cleared
                  tags -> Voyage.tags: 1:49 $.tags, a string: set, converted to [String]
                  address.city -> Voyage.city: 1:74 $.address.city, a number: set, converted to String
                  address.zip -> Voyage.zip: absent: unchanged
                  workers.@count -> Voyage.total: 3:13 $.workers, a number: set
                  owner -> Voyage.owner: 2:11 $.owner, an object: set, 1 object
                    $.owner Sailor (2:11)
                      name -> Sailor.name: 2:20 $.owner.name, a string: set
                      age -> Sailor.age: 2:32 $.owner.age, a string: expected an integer, found a string that cannot be converted to an integer
                      unread keys: street
                  workers -> Voyage.workers: 3:13 $.workers, an array: set, 2 of 3 objects
                    $.workers[0] Sailor (3:14)
                      name -> Sailor.name: 3:23 $.workers[0].name, a string: set
                      age -> Sailor.age: absent: unchanged
                    $.workers[2] Sailor (3:35)
                      name -> Sailor.name: absent: expected the key 'name', found no such key; did you mean 'nam'?
                      age -> Sailor.age: absent: unchanged
                      unread keys: nam (near 'name')
                    $.workers[3] Sailor (3:49): no model created
                      3:49 $.workers[3]: expected an object, found a number (rule workers -> Voyage.workers)
                  chief -> Voyage.chief: 3:62 $.chief, an object: unchanged: no model created
                    $.chief Captain of Sailor (3:62): no model created
                      name -> Sailor.name: absent: expected the key 'name', found no such key
                      age -> Sailor.age: 3:70 $.chief.age, a number: set
                  unread keys: titel (near 'title'), address.town, color
                """)
    }

    @Test func `Values are in the debug description only`() {
        let text = #"{"id": "77", "title": "secret", "tags": ["secret"], "owner": {"name": "secret"}}"#
        let explanation = Voyage.mapping.explain(text)
        #expect(!explanation.description.contains("secret") && !explanation.description.contains("77"))
        #expect(
            explanation.details.contains(#"id -> Voyage.id: 1:8 $.id, a string "77": set, converted to Int"#))
        #expect(explanation.details.contains(#"1:71 $.owner.name, a string "secret": set"#))
    }

    @Test func `The parts of an explanation are values`() throws {
        let explanation = Voyage.mapping.explain(Self.text)
        let job = try #require(explanation.objects.first)
        #expect(job.path == "$" && job.model == "Voyage" && job.isMade && !explanation.hasMore)
        let rules = Dictionary(uniqueKeysWithValues: job.rules.map { ($0.rule, $0) })
        #expect(rules["id -> Voyage.id"]?.outcome == .converted(to: "Int"))
        #expect(rules["id -> Voyage.id"]?.value == #""12""#)
        #expect(rules["title -> Voyage.title"]?.outcome == .absent)
        #expect(rules["title -> Voyage.title"]?.suggestions == ["titel"])
        #expect(rules["due -> Voyage.due"]?.outcome == .cleared)
        #expect(rules["workers -> Voyage.workers"]?.objectCount == 3)
        #expect(rules["workers -> Voyage.workers"]?.modelCount == 2)
        #expect(
            rules["workers -> Voyage.workers"]?.objects.map(\.path) == ["$.workers[0]", "$.workers[2]", "$.workers[3]"])
        #expect(rules["owner -> Voyage.owner"]?.objects.first?.unreadKeys.map(\.path) == ["$.owner.street"])
        #expect(job.unreadKeys.map(\.key) == ["titel", "address.town", "color"])
        #expect(job.unreadKeys.first?.suggestions == ["title"])
    }

    @Test func `Only the first elements are explained, those of relationships are counted`() {
        let worker = #"{"name": "A"}"#
        let workers = Array(repeating: worker, count: 5).joined(separator: ",")
        let explanation = Voyage.mapping.explain(#"[{"workers": [\#(workers)]}, {}, {}, broken"#, first: 2)
        #expect(explanation.objects.map(\.path) == ["$[0]", "$[1]"])
        #expect(explanation.hasMore && explanation.issues.isEmpty)
        #expect(explanation.objects.first?.rules.last { $0.objectCount > 0 }?.objects.count == 2)
        #expect(explanation.description.contains("set, 5 objects"))
        #expect(explanation.description.contains("\n    … 3 more objects\n"))
        #expect(explanation.description.hasSuffix("\n… more elements, not read"))
    }

    @Test func `A repeated key is explained with its last value and a warning`() {
        #expect(
            Sailor.mapping.explain(#"{"name": "A", "name": 5}"#).description == """
                $ Sailor (1:1)
                  1:15 $.name: expected unique keys, found a duplicate key (rule name -> Sailor.name)
                  name -> Sailor.name: 1:23 $.name, a number: set, converted to String
                  age -> Sailor.age: absent: unchanged
                """)
    }

    @Test func `Null at an outer component clears the property`() {
        let mapping = Mapping(Box.init) {
            Attribute("a.b", \.text)
            Attribute("a.c", \.int)
        }
        #expect(
            mapping.explain(#"{"a": null}"#).description == """
                $ Box (1:1)
                  a.b -> Box.text: absent: cleared
                  a.c -> Box.int: absent: cleared
                """)
    }

    @Test func `Broken JSON, a wrong path and mistakes of the mapping are issues of the explanation`() {
        #expect(
            Sailor.mapping.explain(#"[{"name": "A"}, {"name": tru}]"#).description == """
                1:26 $[1].name: expected a value after the colon, found an invalid literal
                $[0] Sailor (1:2)
                  name -> Sailor.name: 1:11 $[0].name, a string: set
                  age -> Sailor.age: absent: unchanged
                $[1] Sailor (1:17): no model created
                  name -> Sailor.name: 1:26 $[1].name, a boolean: not read: the JSON is invalid
                  age -> Sailor.age: absent: unchanged
                """)
        #expect(
            Sailor.mapping.explain("{}", at: "all").description
                == "1:1 $: expected elements at 'all', found nothing there")
        #expect(
            Mapping(Box.init) { Attribute("@no", \.int) }.explain("{}").description
                == "expected a collection operator, found '@no' in the key path '@no' (rule @no -> Box.int)")
        #expect(Sailor.mapping.explain("[]").description == "no elements")
    }

    @Test func `Values without text have no lines`() {
        #expect(
            Sailor.mapping.explain(table(#"{"name": "A", "x": 1}"#)).description == """
                $ Sailor
                  name -> Sailor.name: $.name, a string: set
                  age -> Sailor.age: absent: unchanged
                  unread keys: x
                """)
    }

    @Test func `A value that is read as a whole has no unread keys`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("", \.json)
            Attribute("id", \.int)
        }
        #expect(try mapping.unreadKeys(of: #"{"id": 3, "x": 1}"#) == [])
        #expect(mapping.explain("[1, 2]").objects.map(\.path) == ["$"])
        let sum = Mapping(Box.init) { Attribute("@sum", \.int) }
        #expect(sum.explain("[1, 2]").description == "$ Box (1:1)\n  @sum -> Box.int: 1:1 $, a number: set")
    }

    @Test func `Unread keys are listed once for all elements, also within mapped values`() throws {
        let text = """
            {"all": [{"id": 1, "x": 1, "workers": [{"name": "A", "y": {"z": 1}}, {"name": "B", "y": 2}]},
                     {"id": 1, "x": 1, "address": {"q": 1}, "chief": {"name": "C", "we ird": 1}, "owner": {"name": []}}]}
            """
        #expect(
            try Voyage.mapping.unreadKeys(of: text, at: "all") == [
                "$.all[*].x", "$.all[*].workers[*].y", "$.all[*].address.q", #"$.all[*].chief["we ird"]"#,
            ])
        #expect(throws: MappingError.self) { try Voyage.mapping.unreadKeys(of: "[{]") }
        let many = "{" + (0..<50).map { "\"k\($0)\": 1" }.joined(separator: ",") + "}"
        let options = MappingOptions(limits: MappingLimits(issueCount: 5))
        #expect(try Voyage.mapping.unreadKeys(of: many, options: options).count == 5)
    }

    @Test func `Keys in paths through arrays and operators count as read`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("list.n", \.ints)
            Attribute("other.@sum.n", \.double)
        }
        #expect(
            try mapping.unreadKeys(of: #"{"list": [{"n": 1, "m": 2}, {"n": 2}], "other": [{"n": 1, "m": 2}]}"#)
                == ["$.list[*].m"])
    }

    /// Random documents, read by the recording plan and by the normal one.
    @Test func `An explanation finds the issues that a decode finds`() {
        for seed in 0..<100 {
            var json = RandomJSON(seed: seed)
            json.repeatsKeys = seed % 2 == 0
            let text = json.object()
            let issues = MappingTextIssues(of: Sample.mapping, text)
            #expect(Set(issues.explained) == Set(issues.thrown), "seed \(seed)")
        }
    }
}

/// The issues of a decode, and those of its explanation.
private struct MappingTextIssues {
    var thrown: [String] = []
    var explained: [String] = []

    init(of mapping: Mapping<Sample>, _ text: String) {
        var report = MappingReport()
        do {
            _ = try mapping.map(text, report: &report)
            thrown = report.issues.map(\.description)
        } catch {
            thrown = error.issues.map(\.description)
        }
        let explanation = mapping.explain(text, first: 1000)
        explained = explanation.issues.map(\.description)
        for object in explanation.objects { add(object) }
    }

    private mutating func add(_ object: MappingExplanation.Object) {
        explained += object.issues.map(\.description)
        for rule in object.rules {
            if case .failed(let issues) = rule.outcome { explained += issues.map(\.description) }
            for object in rule.objects { add(object) }
        }
    }
}
