import ObjectMapping
import Testing

private final class Town: Mappable {
    var id = 0
    var name = ""
    var mayorID: Int?
    var twin: Town?
    var twins: [Town] = []
    var mayor: Mayor?

    static let plain: Mapping<Town> = Mapping({ Town() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("mayor", \.mayorID)
        Relationship("twin", \.twin, plain)
        Relationship("twins", \.twins, plain)
    }
    .identified(by: \.id)

    static let mapping: Mapping<Town> = Mapping({ Town() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("mayor", \.mayorID)
        Relationship("twin", \.twin)
        Relationship("twins", \.twins)
        Connection(\.mayor, by: \.mayorID)
    }
    .identified(by: \.id)
}

private final class Mayor: Mappable {
    var id = 0
    static let mapping = Mapping({ Mayor() }) { Attribute("id", \.id) }.identified(by: \.id)
}

/// A struct that holds objects, and has no identity.
private struct Atlas {
    var first: Town?
    var all: [Town] = []
}

struct OnePayloadTests {
    private func all<Model>(_ elements: MappingElements<Model>) throws -> [Model] {
        var models: [Model] = []
        while let model = try elements.next() { models.append(model) }
        return models
    }

    private static let mappings = [("with a connection", Town.mapping), ("without one", Town.plain)]
    private static let text =
        #"[{"id": 1, "twins": [{"id": 2, "name": "b"}, {"id": 2}, {"id": 1, "name": "a"}]}, {"id": 2, "twin": {"id": 3}}]"#

    @Test(arguments: [true, false]) func `One payload creates one object for an identity`(isConnected: Bool) throws {
        let mapping = isConnected ? Town.mapping : Town.plain
        for towns in [
            try mapping.mapAll(Self.text), try mapping.mapAll(JSON(Self.text)),
            try mapping.mapAll(Self.text, parallel: true), try mapping.mapAll(Self.text, in: MappingSession()),
        ] {
            #expect(towns[0].twins.map(\.id) == [2, 2, 1] && towns[0].name == "a")
            #expect(towns[0].twins[0] === towns[1] && towns[0].twins[1] === towns[1] && towns[0].twins[2] === towns[0])
            #expect(towns[1].name == "b" && towns[1].twin?.id == 3)
        }
        let town = try mapping.map(#"{"id": 1, "twin": {"id": 1, "name": "a"}}"#)
        #expect(town.twin === town && town.name == "a")
        town.twin = nil
        let atlas = Mapping(Atlas.init) {
            Relationship("first", \.first, mapping)
            Relationship("all", \.all, mapping)
        }
        let one = try atlas.map(#"{"first": {"id": 1}, "all": [{"id": 1, "name": "a"}, {"id": 4}]}"#)
        #expect(one.first === one.all[0] && one.first?.name == "a")
        let payload = PayloadMapping {
            Root("a", mapping); Root("b", mapping)
        }
        let found = try payload.map(#"{"a": [{"id": 1}], "b": [{"id": 1, "name": "b"}]}"#)
        #expect(found[Town.self].count == 2 && found[Town.self][0] === found[Town.self][1])
    }

    @Test(arguments: [true, false]) func `Payloads and elements of a stream do not share objects`(isConnected: Bool)
        throws
    {
        let mapping = isConnected ? Town.mapping : Town.plain
        #expect(try mapping.map(#"{"id": 1}"#) !== mapping.map(#"{"id": 1}"#))
        let text = #"[{"id": 1, "twins": [{"id": 2}, {"id": 2}]}, {"id": 1}, {"id": 2}]"#
        let towns = try all(mapping.elements(of: Array(text.utf8)))
        #expect(Set(towns.map { ObjectIdentifier($0) }).count == 3)
        #expect(towns[0].twins[0] === towns[0].twins[1] && towns[0].twins[0] !== towns[2])
        let shared = try all(mapping.elements(of: Array(text.utf8), in: MappingSession()))
        #expect(shared[0] === shared[1] && shared[0].twins[0] === shared[2])
    }

    @Test(arguments: [true, false]) func `An element that is left out leaves no object behind`(isConnected: Bool) throws
    {
        let mapping = isConnected ? Town.mapping : Town.plain
        var report = MappingReport(policy: .skipElement)
        let text = #"[{"id": 1, "twin": {"id": 2, "name": "x"}, "name": []}, {"id": 2}]"#
        let towns = try mapping.mapAll(text, report: &report)
        #expect(towns.map(\.id) == [2] && towns[0].name == "" && report.rejected.count == 1)
    }

    @Test(arguments: [true, false]) func `An update reads each identity of its payload into one object`(
        isConnected: Bool
    ) throws {
        let mapping = isConnected ? Town.mapping : Town.plain
        let town = try mapping.map(#"{"id": 1}"#)
        try mapping.update(town, from: #"{"name": "a", "twin": {"id": 2}, "twins": [{"id": 2, "name": "b"}]}"#)
        #expect(town.name == "a" && town.twin === town.twins[0] && town.twin?.name == "b")
    }

    @Test func `Structs with an identity are separate values`() throws {
        struct Stop: Mappable, Equatable {
            var id = 0
            var name = ""
            static let mapping = Mapping(Stop.init) {
                Attribute("id", \.id); Attribute("name", \.name)
            }.identified(by: \.id)
        }
        let stops = try Stop.mapping.mapAll(#"[{"id": 1, "name": "a"}, {"id": 1}]"#)
        #expect(stops == [Stop(id: 1, name: "a"), Stop(id: 1)])
    }
}
