import ObjectMapping
import Testing

struct MatchingIssuesTests {
    @Test func `An unknown value is an issue with its position and the nearest known one`() {
        expectIssues(
            """
            1:11 $[0].type: expected 'circle', 'rectangle', 'box' or 'group' as 'type', found another string; did you mean 'circle'?
            1:31 $[1].type: expected 'circle', 'rectangle', 'box' or 'group' as 'type', found a number
            1:35 $[2].type: expected the key 'type', found no such key; did you mean 'typ'?
            1:54 $[3]: expected an object, found a number
            """
        ) { _ = try Shape.mapping.mapAll(#"[{"type": "cirlce"}, {"type": 1}, {"typ": "circle"}, 7]"#) }
        expectIssues("1:15 $[0].type: expected 'c' as 'type', found another string, value \"secret\"") {
            do {
                let mapping = Mapping<Circle>(matching: { Match("type", is: "c", Circle.mapping) })
                _ = try mapping.mapAll(#"[{    "type": "secret"}]"#)
            } catch let error as MappingError {
                #expect(!error.description.contains("secret"))
                throw Told(text: error.details)
            }
        }
    }

    @Test func `The rule of the relationship is named`() {
        expectIssues(
            "1:35 $.members[0].type: expected 'circle', 'rectangle', 'box' or 'group' as 'type', found null "
                + "(rule members -> Group.members)"
        ) { _ = try Group.mapping.map(#"{"name": "", "members": [{"type": null}]}"#) }
    }

    @Test func `Recursive mappings of closures are limited before the stack overflows`() throws {
        let expected = "expected at most 64 nested mappings from closures, found more of them"
        expectIssues("1:2 $[0]: \(expected)") { _ = try Circling.mapping.mapAll("[{}]") }
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"in":"#, count: levels) + "{}" + String(repeating: "}", count: levels)
        }
        #expect(try Nesting.mapping.map(nested(63)).inner.first?.inner.count == 1)
        let error = #expect(throws: MappingError.self) { try Nesting.mapping.map(nested(500)) }
        #expect(error?.issues.map(\.kind) == [.limit])
    }

    @Test func `An unknown wrapper is an issue`() {
        expectIssues(
            """
            1:2 $[0]: expected the key 'circle' or the key 'box', found no such key; did you mean 'circle'?
            1:16 $[1]: expected an object, found a string
            """
        ) {
            let mapping = Mapping<Shape>(matching: {
                Match(wrappedIn: "circle", Circle.mapping, Shape.circle)
                Match(wrappedIn: "box", Rectangle.mapping, Shape.rectangle)
            })
            _ = try mapping.mapAll(#"[{"cicle": 1}, "circle"]"#)
        }
    }

    @Test func `A value that matches no condition is an issue`() {
        let mapping = Mapping<Shape>(matching: {
            Match("type", is: "circle", Circle.mapping, Shape.circle)
            Match("width", isA: .number, Rectangle.mapping, Shape.rectangle)
            Match { _ in nil }
        })
        expectIssues(
            """
            1:2 $[0]: expected a value that one of the cases matches, found an object that none matches; did you mean 'circle'?
            1:21 $[1]: expected a value that one of the cases matches, found a string that none matches
            """
        ) { _ = try mapping.mapAll(#"[{"type": "circl"}, "x"]"#) }
    }

    @Test func `The first of many known values are named`() {
        let mapping = Mapping<Circle>(matching: {
            for number in 0..<12 { Match("n", is: MatchValue(number), Circle.mapping) }
        })
        expectIssues("1:7 $.n: expected 0, 1, 2, 3, 4, 5, 6, 7 or 4 others as 'n', found another number") {
            _ = try mapping.map(#"{"n": 12}"#)
        }
    }

    @Test(arguments: [
        #"[{"type": "circle", "radius": 1"#, #"[{"type": "circle" "radius": 1}]"#,
        #"[{"radius": [1}, "type": "circle"}]"#,
        #"[{"type": "circle", "x": tru}]"#, #"[{"type": "circle", "x": "\x"}]"#,
        #"[{"type": "group", "members": [{]}]"#,
        #"[{"type": "other", "x": nul}]"#,
    ]) func `Broken JSON is one issue of the text`(text: String) {
        let error = #expect(throws: MappingError.self) { try Shape.mapping.mapAll(GuardedText(text)) }
        #expect(error?.issues.filter { $0.kind == .syntax }.count == 1)
    }

    @Test func `validate reports mistakes in cases`() {
        expectIssues("expected a Match or an Otherwise in the mapping of Circle, found no cases") {
            try Mapping<Circle>(matching: {}).validate()
        }
        let mapping = Mapping<Circle>(matching: {
            Match("type", in: ["a": Circle.mapping, "b": Circle.mapping, "a": Circle.mapping])
            Match("kind", isA: .array, Circle.mapping)
            Match("kind", isA: .array, Circle.mapping)
            Match(wrappedIn: "x", Circle.mapping)
            Match("type", is: "b", Circle.mapping)
            Match(wrappedIn: "x", Circle.mapping)
            Otherwise(.decline)
        })
        expectIssues(
            """
            expected one case for each value in the mapping of Circle, found two cases for 'a' of 'type'
            expected one case for each value in the mapping of Circle, found two cases for an array at 'kind'
            expected one case for each value in the mapping of Circle, found two cases for 'b' of 'type'
            expected one case for each value in the mapping of Circle, found two cases for 'x'
            """
        ) { try mapping.validate() }
        #expect(throws: Never.self) { try mapping.map(#"{"type": "a"}"#) }
        expectIssues(
            "expected no case after one that accepts every value in the mapping of Circle, found 1 unreachable"
        ) {
            try Mapping<Circle>(matching: {
                Otherwise(.decline)
                Match("type", is: "b", Circle.mapping)
            }).validate()
        }
        expectIssues(
            "expected a collection operator, found '@cuont' in the key path 'a.@cuont' (rule a.@cuont -> a case of Circle); did you mean '@count'?"
        ) {
            try Mapping<Circle>(matching: { Match("a.@cuont", is: 1, Circle.mapping) }).validate()
        }
    }

    @Test func `A mapping that reads the same value by itself again is an issue, not a crash`() {
        struct Endless {
            static let mapping: Mapping<Endless> = Mapping<Endless>(matching: {
                Match("a", is: 1, Mapping({ Endless() }) {})
                Match("a", is: 2, other)
            })
            static let other: Mapping<Endless> = Mapping<Endless>(matching: { Otherwise(mapping) })
        }
        let expected =
            "expected a mapping of Endless without infinite recursion, "
            + "found a case that uses it for the same value"
        expectIssues(expected) { try Endless.mapping.validate() }
        expectIssues(expected) { _ = try Endless.other.map("{}") }
    }
}

private struct Told: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}

/// A model whose mapping selects itself.
private struct Circling: Mappable {
    static let mapping: Mapping<Circling> = Mapping(matching: { Match { _ in Circling.mapping } })
}

/// A model that contains others, by a mapping that a closure returns.
private struct Nesting: Mappable {
    var inner: [Nesting] = []
    static let filled: Mapping<Nesting> = Mapping(Nesting.init) { Relationship("in", \.inner) }
    static let mapping: Mapping<Nesting> = Mapping(matching: { Match { _ in filled } })
}
