import ObjectMapping
import Testing

/// Spellings of key-value coding and of RestKit.
struct CocoaSpellingTests {
    @Test(arguments: [
        ("values.@sum.self", "6"), ("values.@avg.self", "2"), ("values.@max.self", "3"), ("values.@min.self", "1"),
        ("values.@count.self", "3"), ("values.@distinctUnionOfObjects.self", "[1,2,3]"),
        ("lists.@unionOfArrays.self", "[1,2]"), ("lists.@sum.self.@sum.self", "3"),
        ("items.@unionOfObjects.self.n", "[1,2]"),
        // Keys of that name, as in documents that link to themselves.
        ("items.@unionOfObjects._links.self", #"["a","b"]"#), ("items.@sum.\\self", "7"), ("self", "9"),
    ])
    func `Self after an operator is the element itself`(path: String, expected: String) throws {
        let json = try JSON(
            """
            {"values": [1, 2, 3], "lists": [[1], [2]], "self": 9,
             "items": [{"n": 1, "self": 3, "_links": {"self": "a"}}, {"n": 2, "self": 4, "_links": {"self": "b"}}]}
            """)
        #expect(try json.value(at: path)?.text == expected)
    }

    @Test(arguments: ["items.@sum.n.self", "items.@max.n.self", "lists.@unionOfArrays.self.@avg.n.self"])
    func `Self after a key is a mistake if it would be zero`(path: String) {
        expectIssues(
            "expected `self` directly after the operator (a key of that name is written `\\\\self`), "
                + "found the key path '\(path)' (rule \(path) -> Box.int)"
        ) { try Mapping(Box.init) { Attribute("\(path)", \.int) }.validate() }
    }

    private struct Employee: Mappable, Equatable {
        var name = ""
        var id = 0
        static let mapping = Mapping(Employee.init) {
            Attribute(.key, \.name)
            Attribute("(name).id", \.id)
        }
    }

    @Test func `Parentheses are placeholders like braces`() throws {
        try Employee.mapping.validate()
        let text = #"{"blake":{"id":1},"ada":{"id":2}}"#
        let all = try Employee.mapping.mapAll(text)
        #expect(all == [Employee(name: "blake", id: 1), Employee(name: "ada", id: 2)])
        #expect(try String(decoding: Employee.mapping.serialize(all), as: UTF8.self) == text)
    }

    @Test func `Parentheses without a rule are a mistake, and must be escaped in keys`() throws {
        expectIssues(
            "expected a placeholder that is declared by a rule with the source .key, found {nmae} (rule {nmae}.id -> Box.int)"
        ) { try Mapping(Box.init) { Attribute("(nmae).id", \.int) }.validate() }
        expectIssues(
            "expected placeholders at the start of the key path, found a placeholder after a key (rule a.(name) -> Box.int)"
        ) { try Mapping(Box.init) { Attribute("a.(name)", \.int) }.validate() }
        let mapping = Mapping(Box.init) {
            Attribute("\\(total)", \.int)
            Attribute(["(unit)"], \.text)
        }
        try mapping.validate()
        let box = try mapping.map(#"{"(total)": 5, "(unit)": "kg"}"#)
        #expect(box.int == 5 && box.text == "kg")
    }

    @Test(arguments: ["@median.a", "a.@lastObject", "a.@stddev.b"])
    func `An operator that does not exist is a mistake`(path: String) {
        let found = issues { try Mapping(Box.init) { Attribute("\(path)", \.int) }.validate() }
        #expect(found.hasPrefix("expected a collection operator, found '@"))
    }
}
