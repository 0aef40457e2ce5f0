import ObjectMapping
import Testing

/// The tests of RestKit's object parameterization, with this library.
struct ParameterizationTests {
    private struct Item: Equatable {
        var key1 = "value1"
        var key2: String? = "value2"
        var date: Date?
        var decimal: Decimal?
        var flag = true
        var related: [Related] = []
        var set: Set<Related> = []
        var one: Related?
        var house = ""
        var name = "blake"

        struct Related: Hashable {
            var value = "value1"
            var when: Date?
            static let mapping = Mapping(Related.init) {
                Attribute("related-name", \.value)
                Attribute("date", \.when)
            }
        }
    }

    private func check(
        _ item: Item, _ expected: String, rootKey: JSONKeyPath = "", _ options: WritingOptions = WritingOptions(),
        _ location: SourceLocation = #_sourceLocation, @MappingBuilder<Item> _ rules: () -> [RuleDefinition<Item>]
    ) throws {
        let mapping = Mapping(Item.init, rules)
        #expect(try text(item, mapping, rootKey: rootKey, options) == expected, sourceLocation: location)
    }

    @Test func `Attributes are written under other names`() throws {
        try check(Item(), #"{"key1-form-name":"value1","key2-form-name":"value2"}"#) {
            Attribute("key1-form-name", \.key1)
            Attribute("key2-form-name", \.key2)
        }
    }

    @Test func `Dates are written in UTC, decimals exactly, booleans as booleans`() throws {
        let item = Item(date: Date(timeIntervalSince1970: 0), decimal: Decimal(string: "18274191731731.4557723623"))
        try check(
            item, #"{"date":"1970-01-01T00:00:00.000Z","number":18274191731731.4557723623,"flag":true}"#
        ) {
            Attribute("date", \.date)
            Attribute("number", \.decimal)
            Attribute("flag", \.flag)
        }
    }

    @Test func `Relationships to one and to many are written with their dates`() throws {
        let related = Item.Related(when: Date(timeIntervalSince1970: 0))
        let item = Item(related: [related, .init(value: "2")], set: [.init(value: "3")], one: related)
        try check(
            item,
            """
            {"key1":"value1","many":[{"related-name":"value1","date":"1970-01-01T00:00:00.000Z"},\
            {"related-name":"2"}],"set":[{"related-name":"3"}],\
            "one":{"related-name":"value1","date":"1970-01-01T00:00:00.000Z"}}
            """
        ) {
            Attribute("key1", \.key1)
            Relationship("many", \.related, Item.Related.mapping)
            Relationship("set", \.set, Item.Related.mapping)
            Relationship("one", \.one, Item.Related.mapping)
        }
    }

    @Test func `Relationships without a rule are not written`() throws {
        try check(Item(related: [.init()]), #"{"key1":"value1"}"#) { Attribute("key1", \.key1) }
    }

    @Test func `A root key contains everything, even an empty object`() throws {
        try check(Item(), #"{"stuff":{"key1":"value1"}}"#, rootKey: "stuff") { Attribute("key1", \.key1) }
        try check(Item(key2: nil), #"{"stuff":{}}"#, rootKey: "stuff") { Attribute("key2", \.key2) }
    }

    @Test func `Attributes are nested by key paths, at any depth`() throws {
        try check(
            Item(), #"{"root":{"key1":"value1","deeper":{"down":{"key2":"value2"}}},"flag":true}"#
        ) {
            Attribute("root.key1", \.key1)
            Attribute("flag", \.flag)
            Attribute("root.deeper.down.key2", \.key2)
        }
        try check(Item(key2: nil), #"{"user":{"key1":"value1"}}"#) {
            Attribute("user.address.key2", \.key2)
            Attribute("user.key1", \.key1)
        }
    }

    @Test func `Nil is omitted, or written as null on request`() throws {
        for (options, expected) in [
            (WritingOptions(), #"{"key1":"value1"}"#),
            (WritingOptions(whenNil: .null), #"{"key1":"value1","key2":null,"one":null}"#),
        ] {
            try check(Item(key2: nil), expected, options) {
                Attribute("key1", \.key1)
                Attribute("key2", \.key2)
                Relationship("one", \.one, Item.Related.mapping)
            }
        }
    }

    @Test func `A dynamic key contains the attributes`() throws {
        try check(Item(), #"{"blake":{"key1":"value1","nested":{"key2":"value2"}}}"#) {
            Attribute(.key, \.name)
            Attribute("{name}.key1", \.key1)
            Attribute("{name}.nested.key2", \.key2)
        }
    }

    @Test func `Form fields are created from the JSON`() throws {
        let mapping = Mapping(Item.init) {
            Attribute("key1", \.key1)
            Attribute("nested.flag", \.flag)
        }
        let fields = try mapping.json(of: Item()).object?.map { "\($0.key)=\($0.value)" }
        #expect(fields == [#"key1="value1""#, #"nested={"flag":true}"#])
    }
}
