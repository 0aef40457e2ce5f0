import ObjectMapping
import Synchronization
import Testing

private struct Empty: Mappable {
    var id = 0
    static let mapping = Mapping(Empty.init) {}
}

private struct Holder: Sendable {
    var one: Empty?
    var many: [Empty] = []
    var first = 0
    var second = 0
    var sum: Int {
        get { first + second }
        set { first = newValue }
    }
    var product: Int {
        get { first * second }
        set { second = newValue }
    }
}

struct ValidateTests {
    @Test func `All mistakes are reported together, in the order of the rules`() {
        let inner = Mapping(Payment.init) { Attribute("@nothing", \.id) }
        let mapping = Mapping(Box.init) {
            Attribute("a.@cuont", \.int)
            Attribute("b..c", \.text)
            Relationship("p", \.payments, inner)
            Attribute("d", \.text)
        }
        expectIssues(
            """
            expected a collection operator, found '@cuont' in the key path 'a.@cuont' (rule a.@cuont -> Box.int); did you mean '@count'?
            expected a key, found an empty component in the key path 'b..c' (rule b..c -> Box.text)
            expected a collection operator, found '@nothing' in the key path '@nothing' (rule @nothing -> Payment.id)
            expected one rule for Box.text, found an earlier rule, b..c -> Box.text; use .first to read one of several sources (rule d -> Box.text)
            """
        ) { try mapping.validate() }
    }

    @Test func `Rules for a property and for a part of it are a mistake, in any order`() throws {
        struct Place {
            var box = Box()
            var other = Box()
        }
        let box = Mapping(Box.init) { Attribute("int", \.int) }
        expectIssues(
            """
            expected a rule for a property or rules for what it holds, of which the later value would win, found both, int -> Place.box.int (rule box -> Place.box)
            expected a rule for a property or rules for what it holds, of which the later value would win, found both, other -> Place.other (rule text -> Place.other.text)
            """
        ) {
            try Mapping(Place.init) {
                Attribute("int", \.box.int)
                Attribute("text", \.box.text)
                Relationship("box", \.box, box)
                Relationship("other", \.other, box)
                Attribute("text", \.other.text)
            }.validate()
        }
        try Mapping(Place.init) {
            Attribute("int", \.box.int)
            Attribute("text", \.box.text)
            Relationship("other", \.other, box)
        }.validate()
    }

    @Test func `Two rules for one property are a mistake that does not prevent decodes`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("a", \.int)
            Attribute("b", \.text)
            Attribute("c", \.int)
            Attribute("d", \.int)
        }
        expectIssues(
            """
            expected one rule for Box.int, found an earlier rule, a -> Box.int; use .first to read one of several sources (rule c -> Box.int)
            expected one rule for Box.int, found an earlier rule, a -> Box.int; use .first to read one of several sources (rule d -> Box.int)
            """
        ) { try mapping.validate() }
        #expect(try mapping.map(#"{"c": 1, "a": 2}"#).int == 2)
    }

    @Test func `Computed properties cannot be distinguished, so they are not a mistake`() throws {
        try Mapping(Holder.init) {
            Attribute("sum", \.sum)
            Attribute("product", \.product)
            Attribute("first", \.first)
        }.validate()
        try Note.mapping.validate()
        try Account.mapping.validate()
        try Person.mapping.validate()
    }

    private static let asked = Atomic(0)

    /// A mapping that counts how often a plan reads it.
    private static func counted(_ mapping: Mapping<Payment>) -> Mapping<Payment> {
        asked.add(1, ordering: .relaxed)
        return mapping
    }

    @Test func `A validated mapping is not compiled again, with a session or without`() throws {
        let mapping = Mapping(Box.init) { Relationship("one", \.payment, Self.counted(Payment.mapping)) }
        try mapping.validate()
        // Once for reading, once for writing.
        #expect(Self.asked.load(ordering: .relaxed) == 2)
        let box = try mapping.map("{}")
        _ = try mapping.map("{}", in: MappingSession())
        _ = try mapping.serialize(box)
        #expect(Self.asked.load(ordering: .relaxed) == 2)
    }

    @Test func `A mapping without rules is a mistake, also in a relationship`() throws {
        expectIssues("expected a mapping with rules, found a mapping without rules") { try Empty.mapping.validate() }
        let mapping = Mapping(Holder.init) {
            Relationship("one", \.one)
            Relationship("many", \.many)
            Attribute("first", \.first)
        }
        expectIssues(
            """
            expected a mapping with rules, found a mapping without rules (rule one -> Holder.one)
            expected a mapping with rules, found a mapping without rules (rule many -> Holder.many)
            """
        ) { try mapping.validate() }
        #expect(try mapping.map(#"{"many": [{}, {}]}"#).many.count == 2)
    }

    private final class Mirror: Mappable {
        var id = 0
        var me: Mirror?
        static let mapping = Mapping({ Mirror() }) {
            Attribute("id", \.id)
            Relationship("", \.me)
        }
    }

    private struct Nest: Mappable {
        var nests: [Nest] = []
        static let mapping = Mapping(Nest.init) { Relationship("", \.nests) }
    }

    @Test func `A relationship that reads its own value again is a mistake, a list of lists is not`() throws {
        let text =
            "expected a key or an array before the mapping contains itself, found an infinitely recursive mapping "
            + "(rule the value -> Mirror.me)"
        expectIssues(text) { try Mirror.mapping.validate() }
        expectIssues(text) { _ = try Mirror.mapping.map("{}") }
        try Nest.mapping.validate()
        #expect(try Nest.mapping.map("[[], [[]]]").nests.map(\.nests.count) == [0, 1])
    }

    private struct Branch: Mappable {
        var name = ""
        var branches: [Branch] = []
        static let mapping = Mapping(Branch.init) {
            Attribute("name", \.name)
            Relationship(.value, \.branches)
        }
    }

    private struct Heads: Mappable {
        var tails: [Tails] = []
        static let mapping = Mapping(Heads.init) { Relationship(.value, \.tails) }
    }

    private struct Tails: Mappable {
        var id = 0
        var head: [Heads] = []
        static let mapping = Mapping(Tails.init) {
            Attribute("id", \.id)
            Relationship(.value, \.head)
        }
    }

    @Test func `A list that contains its own object is a mistake, too`() {
        let recursive =
            "expected a key or an array before the mapping contains itself, found an infinitely recursive mapping"
        let branch = "\(recursive) (rule the value -> Branch.branches)"
        expectIssues(branch) { try Branch.mapping.validate() }
        expectIssues(branch) { _ = try Branch.mapping.map("{}") }
        expectIssues("\(recursive) (rule the value -> Tails.head)") { _ = try Heads.mapping.map("[]") }
    }

    @Test(arguments: ["5", "[[5]]", "[null, true]", "{}", #"[[{"a": 1}]]"#])
    func `A list of lists accepts arrays only`(text: String) {
        let recursive =
            "expected a key or an array before the mapping contains itself, found an infinitely recursive mapping"
        let found = issues { _ = try Nest.mapping.map(text) }
        #expect(found.contains(recursive))
    }

    @Test func `A mapping derived from one without rules has no rules`() {
        let mapping = Mapping({ (empty: Empty) in [empty] }, from: Empty.mapping)
        expectIssues("expected a mapping with rules, found a mapping without rules") { try mapping.validate() }
    }
}
