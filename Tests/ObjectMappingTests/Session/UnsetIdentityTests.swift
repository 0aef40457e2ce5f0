import ObjectMapping
import Testing

private final class Crate: Mappable {
    var id = 0
    var name = ""
    static let mapping = Mapping({ Crate() }) { Attribute("name", \.name) }.identified(by: \.id)
}

struct UnsetIdentityTests {
    @Test func `Models without a rule for their identity are not confused`() throws {
        let session = MappingSession()
        let crates = try Crate.mapping.mapAll(#"[{"name": "a"}, {"name": "b"}]"#, in: session)
        #expect(crates.map(\.name) == ["a", "b"])
        #expect(session.find(Crate.self, 0) == nil)
    }

    @Test func `A mapping without a rule for its identity is a mistake`() {
        expectIssues("expected a rule that sets Crate.id, the identity of models, found no such rule") {
            try Crate.mapping.validate()
        }
    }

    @Test func `An outer property or a computed property can set the identity`() throws {
        struct Place: JSONConvertible, Hashable {
            var code = ""
            init?(json: JSON) { code = json["code"].string ?? "" }
            init() {}
            var json: JSON { ["code": .string(code)] }
        }
        final class Stop {
            var place = Place()
            var line = 0
            var key: String { "\(place.code)\(line)" }
        }
        let byPart = Mapping({ Stop() }) { Attribute("place", \.place) }.identified(by: \.place.code)
        let computed = Mapping({ Stop() }) { Attribute("line", \.line) }.identified(by: \.key)
        try byPart.validate()
        try computed.validate()
        let session = MappingSession()
        let stops = try byPart.mapAll(#"[{"place": {"code": "x"}}, {"place": {"code": "x"}}]"#, in: session)
        #expect(stops[0] === stops[1])
    }
}
