import ObjectMapping
import Testing

struct PlanSafetyTests {
    private struct Left {
        var value = 0
    }

    private struct Right {
        var text = ""
        var value = ""
    }

    private struct Pair {
        var left = Left()
        var right = Right()
    }

    /// The mappings are created with the plan, and not retained elsewhere.
    @Test func `Mappings created at their use are not confused`() throws {
        let pairs = Mapping(Pair.init) {
            for index in 0..<50 {
                Relationship("left\(index)", \.left, Mapping(Left.init) { Attribute("value", \.value) })
                Relationship(
                    "right\(index)", \.right,
                    Mapping(Right.init) {
                        Attribute("other", \.text)
                        Attribute("value", \.value)
                    })
            }
        }
        for index in 0..<50 {
            let text =
                #"{"left\#(index)": {"value": \#(index)}, "right\#(index)": {"value": "v\#(index)", "other": "o"}}"#
            let pair = try pairs.map(text)
            #expect(pair.left.value == index)
            #expect(pair.right.value == "v\(index)")
            #expect(pair.right.text == "o")
        }
    }

    @Test func `A key path of thousands of keys is a mistake of the mapping`() throws {
        let path = JSONKeyPath(Array(repeating: "a", count: 20_000).joined(separator: "."))
        let mapping = Mapping(Left.init) { Attribute(MappingSource(path), \.value) }
        let error = #expect(throws: MappingError.self) { try mapping.validate() }
        let found = try #require(error?.issues.first)
        #expect(found.kind == .mapping)
        #expect(found.message.contains("a key path of at most 128 components"))
    }

    @Test func `Rows that contain themselves twice are an issue`() throws {
        let own = ["one", "two"].map {
            RowRelationship(name: $0, path: "", destination: 0, isToMany: false)
        }
        let entity = RowEntity(
            name: "E", attributes: [RowAttribute(name: "id", type: AttributeType(.integer), source: .path("id"))],
            relationships: own)
        let reader = try RowReader(
            source: ByteChunks(#"[{"id": 1}]"#.utf8, by: .max), plan: try RowPlan(entities: [entity]), entity: 0,
            at: "",
            shape: .element)
        let element = try #require(try reader.next())
        #expect(element.issues.map(\.kind) == [.mapping])
    }
}
