import ObjectMapping
import Testing

/// Elements that are made to cost more than their length; the bounds are far above what a length of this costs.
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

    /// The only element of a text, as it was read in no more time than the bound.
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

    @Test func `Relationships that stand again and again leave nothing behind and cost the same each time`() throws {
        let again = String(repeating: #","b":null,"c":{"place":{"city":"Rome"}}"#, count: 40_000)
        try Self.expectElement(#"{"id":1\#(again)}"#) { element in
            #expect(element.isSound)
            #expect(element.rows.rows.map(\.entity) == [0, -1, 1])
            #expect(element.rows.rows.map(\.relationship) == [-1, 0, 1])
        }
    }

    @Test func `Rows that stand behind removed ones keep their parents and values`() throws {
        let text =
            #"{"b":[{"place":{"city":"x"}}],"id":7,"c":{"place":{"city":"Rome"}},"b":[{"place":{"city":"Oslo"}},{"place":{"city":"Bern"}}]}"#
        expectTexts(
            try rowTexts(of: text.utf8, Self.entities),
            [#"A(id: 7, b: [B(city: "Oslo"), B(city: "Bern")], c: B(city: "Rome"))"#])
    }

    @Test func `What many rows lack is looked for in each of them only`() throws {
        let rows = String(repeating: #"{"place":{"city":null}},"#, count: 60_000)
        try Self.expectElement(#"{"id":1,"b":[\#(rows){}]}"#) { element in
            #expect(element.issues.first?.path == "$.b[0].place.city")
            #expect(!element.isSound)
        }
    }
}
