import ObjectMapping
import Synchronization
import Testing

private struct MemberValues: Mappable {
    var id: Int?
    var name = "nobody"
    var boss: Member?
    var team: [Member] = []
    var spares: Set<Member>? = []

    static let mapping = Mapping({ MemberValues() }) {
        Attribute("id", \.id).required
        Attribute("name", \.name)
        Relationship("boss", \.boss)
        Relationship("team", \.team)
        Relationship("spares", \.spares)
    }

    init(id: Int? = nil) { self.id = id }
}

/// A class of constants that relies on its mapping's requirements, and counts its instances.
private final class Member: Mappable, Hashable {
    static let living = Atomic(0)
    static let unfit = Atomic(0)

    let id: Int
    let name: String
    let boss: Member?
    let team: [Member]
    let spares: Set<Member>?

    init(_ values: MemberValues) {
        if values.id == nil { Member.unfit.add(1, ordering: .relaxed) }
        Member.living.add(1, ordering: .relaxed)
        id = values.id ?? -1
        (name, boss, team, spares) = (values.name, values.boss, values.team, values.spares)
    }

    deinit { Member.living.subtract(1, ordering: .relaxed) }

    static let mapping = Mapping({ Member($0) }, from: MemberValues.mapping)

    static func == (a: Member, b: Member) -> Bool { a.id == b.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A struct whose properties contain created objects.
private struct Crew: Mappable {
    var lead = Member(MemberValues(id: 0))
    var second: Member?
    var others: [Member]? = []

    static let mapping = Mapping({ Crew() }) {
        Relationship("lead", \.lead)
        Relationship("second", \.second)
        Relationship("others", \.others)
    }
}

private struct Amount: Equatable {
    var text = ""

    static let number = Mapping({ 0.0 }) { Attribute("", \.self) }
    static let mapping = Mapping({ Amount(text: "\($0)") }, from: number)
    static let twice = Mapping({ (amount: Amount) in Amount(text: amount.text + amount.text) }, from: mapping)
    static let endless: Mapping<Amount> = Mapping({ (amount: Amount) in amount }, from: endless)
}

@Suite(.serialized) struct MadeModelsTests {
    @Test func `Objects and nested objects are created with values`() throws {
        let member = try Member.mapping.map(
            """
            {"id": 1, "name": "a", "boss": {"id": "2", "boss": {"id": 3}},
             "team": [{"id": 4, "team": {"id": 5}}, null, {"id": 6}], "spares": [{"id": 7}, {"id": 7}]}
            """)
        #expect(member.id == 1 && member.name == "a")
        #expect(member.boss?.id == 2 && member.boss?.boss?.id == 3 && member.boss?.name == "nobody")
        #expect(member.team.map(\.id) == [4, 6] && member.team[0].team.map(\.id) == [5])
        #expect(member.spares?.map(\.id) == [7])
        #expect(try Member.mapping.map(#"{"id": 1, "boss": null, "spares": null}"#).spares == nil)
        #expect(try Member.mapping.mapAll(#"[{"id": 1}, null, {"id": 2}]"#).map(\.id) == [1, 2])
        #expect(
            try Member.mapping.mapAll(#"{"a": [{"b": {"id": 1}}, {"b": [{"id": 2}]}]}"#, at: "a.b").map(\.id) == [1, 2])
    }

    @Test func `Created objects are set in structs, and removed by null and a repeated key`() throws {
        let text = #"{"lead": {"id": 1}, "second": {"id": 2}, "others": [{"id": 3}]}"#
        var crew = try Crew.mapping.map(text)
        #expect(crew.lead.id == 1 && crew.second?.id == 2 && crew.others?.map(\.id) == [3])
        try Crew.mapping.update(&crew, from: #"{"lead": null, "second": null, "others": null}"#)
        #expect(crew.lead.id == 0 && crew.second == nil && crew.others == nil)
        var report = MappingReport()
        crew = try Crew.mapping.map(#"{"lead": {"id": 1}, "lead": {"id": 4}}"#, report: &report)
        #expect(crew.lead.id == 4 && report.warnings.map(\.kind) == [.duplicateKey])
        report = MappingReport()
        #expect(try Member.mapping.map(#"{"id": 1, "id": 2}"#, report: &report).id == 2)
        #expect(report.warnings.map(\.kind) == [.duplicateKey])
    }

    @Test func `Models can be created from values that are not objects, and from models`() throws {
        #expect(try Amount.mapping.mapAll("[1, 2.5]") == [Amount(text: "1.0"), Amount(text: "2.5")])
        #expect(try Amount.twice.map("1") == Amount(text: "1.01.0"))
    }

    @Test func `No object is created with invalid values`() {
        let before = Member.unfit.load(ordering: .relaxed)
        expectIssues("1:2 $[0].id: expected the key 'id', found no such key (rule id -> MemberValues.id)") {
            _ = try Member.mapping.mapAll("[{}]")
        }
        expectIssues(
            """
            1:25 $.boss.id: expected an integer, found a boolean (rule id -> MemberValues.id)
            1:41 $.team[0].id: expected the key 'id', found no such key (rule id -> MemberValues.id)
            1:45 $.team[1]: expected an object, found a number (rule team -> MemberValues.team)
            """
        ) { _ = try Member.mapping.map(#"{"id":1, "boss": {"id": true}, "team": [{}, 8]}"#) }
        #expect(throws: MappingError.self) { try Crew.mapping.map(#"{"lead": {}, "second": {}, "others": [{}]}"#) }
        #expect(Member.unfit.load(ordering: .relaxed) == before)
    }

    @Test(arguments: [
        #"{"id": 1, "boss": {"id": 2}, "boss": {"id": 3}, "team": [{"id": 4}, {}, {"id": 5}], "spares": [{"id": 6}, 7]}"#,
        #"{"id": 1, "team": [{"id": 4, "team": [{"id": 5}, {"id": 6"#,
        #"[{"id": 1}, {"id": 2}, {"id": 3, "boss": {"id": 4}, "#,
        #"[{"id": 1, "boss": {"id": 2}}, {"id": 3}]"#, #"[{"id": 1}] x"#,
        #"{"lead": {"id": 1}, "others": [{"id": 2}, {"id""#,
        #"{"lead": {"id": 1}, "lead": null, "second": {"id": 2}, "second": 5, "others": {"id": 3}}"#,
    ]) func `Created objects are released after any payload`(text: String) throws {
        _ = try? Member.mapping.map(GuardedText(text))
        _ = try? Member.mapping.mapAll(GuardedText(text))
        _ = try? Crew.mapping.map(GuardedText(text))
        _ = try? Crew.mapping.mapAll(GuardedText(text))
        #expect(Member.living.load(ordering: .relaxed) == 0)
    }

    @Test func `Created objects nest up to the limit of the text`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"id":1,"boss":"#, count: levels) + "null" + String(repeating: "}", count: levels)
        }
        var member: Member? = try Member.mapping.map(nested(512))
        var depth = 0
        while let next = member {
            depth += 1
            member = next.boss
        }
        #expect(depth == 512)
        #expect(throws: MappingError.self) { try Member.mapping.map(nested(513)) }
    }

    @Test func `An update of a created object is an issue`() throws {
        let member = try Member.mapping.map(#"{"id": 1}"#)
        expectIssues(
            "expected a mapping that sets properties, for `update`, "
                + "found a mapping with an initializer; use `map` instead"
        ) { try Member.mapping.update(member, from: #"{"id": 2}"#) }
    }

    @Test func `A mapping that contains itself is an issue, not a crash`() {
        let expected =
            "expected mappings without infinite recursion, "
            + "found a mapping that contains itself; store mappings in a `static let`"
        expectIssues(expected) { try Amount.endless.validate() }
        expectIssues(expected) { try Heads.mapping.validate() }
        expectIssues(expected) { _ = try Tails.mapping.map("{}") }
    }

    /// Two models that contain each other.
    private struct Heads: Mappable {
        static let mapping: Mapping<Heads> = Mapping({ (_: Tails) in Heads() }, from: Tails.mapping)
    }

    private struct Tails: Mappable {
        static let mapping: Mapping<Tails> = Mapping({ (_: Heads) in Tails() }, from: Heads.mapping)
    }
}
