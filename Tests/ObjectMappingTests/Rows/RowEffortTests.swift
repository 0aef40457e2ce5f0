import ObjectMapping
import Testing

/// Elements that could cost more than their length; the limits are far above the cost of their length.
struct RowEffortTests {
    private static let bound = Duration.seconds(60)
    private static let entities = [
        RowEntity(
            name: "A", attributes: [column("id", "integer")],
            relationships: [
                RowRelationship(name: "b", path: "b", destination: 1, isToMany: true),
                RowRelationship(name: "c", path: "c", destination: 1, isToMany: false),
            ], elementNames: []),
        RowEntity(
            name: "B", attributes: [column("city", from: "place.city", required: true)], relationships: [],
            elementNames: []),
    ]

    /// Expects the only element of a text, read within the time limit.
    private static func expectElement(
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ check: (RowReader.Element) throws -> Void
    ) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let reader = try RowReader(
            source: ByteChunks(text.utf8), plan: RowPlan(entities: entities), entity: 0, at: "", shape: .element)
        let element = try #require(try reader.next())
        #expect(clock.now - start < bound, sourceLocation: sourceLocation)
        try check(element)
    }

    @Test func `Repeated relationships leave nothing and cost the same each time`() throws {
        let again = String(repeating: #","b":null,"c":{"place":{"city":"Rome"}}"#, count: 40_000)
        try Self.expectElement(#"{"id":1\#(again)}"#) { element in
            #expect(element.isSound)
            #expect(element.rows.rows.map(\.entity) == [0, -1, 1])
            #expect(element.rows.rows.map(\.relationship) == [-1, 0, 1])
        }
    }

    @Test func `Rows after removed ones keep their parents and values`() throws {
        let text =
            #"{"b":[{"place":{"city":"x"}}],"id":7,"c":{"place":{"city":"Rome"}},"b":[{"place":{"city":"Oslo"}},{"place":{"city":"Bern"}}]}"#
        expectTexts(
            try rowTexts(of: text.utf8, Self.entities),
            [#"A(id: 7, b: [B(city: "Oslo"), B(city: "Bern")], c: B(city: "Rome"))"#])
    }

    @Test func `Missing values of many rows are searched once per row`() throws {
        let rows = String(repeating: #"{"place":{"city":null}},"#, count: 60_000)
        try Self.expectElement(#"{"id":1,"b":[\#(rows){}]}"#) { element in
            #expect(element.issues.first?.path == "$.b[0].place.city")
            #expect(!element.isSound)
        }
    }

    @Test func `A long key of many issues is shortened`() throws {
        let key = String(repeating: "k", count: 1_000_000)
        let rows = String(repeating: #"{"id":"x"},"#, count: 900)
        let plan = try RowPlan(entities: [
            RowEntity(
                name: "A", attributes: [],
                relationships: [RowRelationship(name: "b", path: "b", destination: 1, isToMany: true)],
                elementNames: []),
            RowEntity(name: "B", attributes: [column("id", "integer")], relationships: [], elementNames: []),
        ])
        let clock = ContinuousClock()
        let start = clock.now
        let reader = try RowReader(
            source: ByteChunks(#"{"\#(key)":{"b":[\#(rows)null]}}"#.utf8), plan: plan, entity: 0, at: "", shape: .member
        )
        let element = try #require(try reader.next())
        #expect(clock.now - start < Self.bound)
        #expect(element.issues.count == 900)
        #expect(element.issues.last?.path == #"$["\#(key.prefix(96))…"].b[899].id"#)
    }

    @Test func `1,000 issues of an element are reported, with the number of others`() throws {
        let rows = String(repeating: #"{"place":{"city":null}},"#, count: 1500)
        try Self.expectElement(#"{"b":[\#(rows)null]}"#) { element in
            #expect(element.issues.count == 1001)
            #expect(element.issues[999].path == "$.b[999].place.city")
            #expect(element.issues[1000].path == "$.b[1000].place.city")
            #expect(element.issues[1000].message == "expected at most 1000 issues in one element, found 500 more")
        }
    }

    @Test func `Errors replace warnings at the limit, and warnings do not reject an element`() throws {
        let again = String(repeating: #""id":1,"#, count: 1500)
        try Self.expectElement(#"{\#(again)"id":1}"#) { element in
            #expect(element.issues.count == 1001)
            #expect(element.isSound)
        }
        try Self.expectElement(#"{\#(again)"b":5}"#) { element in
            #expect(element.issues.count == 1001)
            #expect(element.issues.filter { !$0.isWarning }.map(\.path) == ["$.b"])
        }
    }

    @Test func `All issues of a payload are reported by a typed mapping`() throws {
        let mapping = Mapping(Box.init) { Attribute("ints", \.ints) }
        let error = #expect(throws: MappingError.self) {
            try mapping.map(#"{"ints":[\#(String(repeating: "true,", count: 1499))true]}"#)
        }
        #expect(error?.issues.count == 1500)
    }
}
