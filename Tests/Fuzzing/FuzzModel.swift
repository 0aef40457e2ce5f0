import Foundation
import ObjectMapping

/// A class with a property of every kind, so that every way of reading and storing is used.
final class FuzzModel: Mappable, Equatable {
    enum Status: String, JSONConvertible { case open, done }

    struct Part: Mappable, Hashable {
        var a: Int?
        var b = "fresh"
        var c: [Int] = []
        var x: JSON?

        static let mapping = Mapping(Part.init) {
            Attribute("a", \.a)
            Attribute("b", \.b).required
            Attribute("c", \.c)
            Attribute("@count", \.x)
        }
    }

    /// Created by an initializer with a part.
    final class Made: Equatable, Sendable {
        let part: Part

        init(_ part: Part) { self.part = part }

        static let mapping = Mapping(Made.init, from: Part.mapping)
        static func == (x: Made, y: Made) -> Bool { x.part == y.part }
    }

    var a: Int?
    var b = "fresh"
    var c: [String?] = ["fresh"]
    var double = -1.5
    var bool: Bool?
    var date: Date?
    var decimal: Decimal?
    var small: UInt8 = 7
    var uuid: UUID?
    var url: URL?
    var data: Data?
    var status: Status?
    var codes: Set<Int> = []
    var json: JSON?
    var deep: JSON?
    var sum: JSON?
    var part: Part?
    var parts: [Part] = []
    var partSet: Set<Part>?
    var made: Made?
    var mades: [Made] = []
    var one: FuzzModel?
    var many: [FuzzModel] = []

    static let mapping = Mapping({ FuzzModel() }) {
        Attribute("a", \.a)
        Attribute("b", \.b)
        Attribute("c", \.c)
        Attribute("d", \.double)
        Attribute("e", \.bool)
        Attribute("f", \.date)
        Attribute("g", \.decimal)
        Attribute("h", \.small)
        Attribute("i", \.uuid)
        Attribute("j", \.url)
        Attribute("k", \.data)
        Attribute("l", \.status)
        Attribute("m", \.codes)
        Attribute("n", \.json)
        Attribute("o.a.b", \.deep)
        Attribute("p.@sum.a", \.sum)
        Relationship("p", \.parts)
        Relationship("o", \.part)
        Relationship("q.@distinctUnionOfObjects.o", \.partSet)
        Relationship("s", \.made, Made.mapping)
        Relationship("t", \.mades, Made.mapping)
        Relationship("r", \.one)
        Relationship("q", \.many)
    }

    static func == (x: FuzzModel, y: FuzzModel) -> Bool {
        x.a == y.a && x.b == y.b && x.c == y.c && x.double == y.double && x.bool == y.bool && x.date == y.date
            && x.decimal == y.decimal && x.small == y.small && x.uuid == y.uuid && x.url == y.url && x.data == y.data
            && x.status == y.status && x.codes == y.codes && x.json == y.json && x.deep == y.deep && x.sum == y.sum
            && x.part == y.part && x.parts == y.parts && x.partSet == y.partSet && x.made == y.made
            && x.mades == y.mades && x.one == y.one && x.many == y.many
    }
}

extension FuzzModel {
    /// The same as rows.
    static let rows: RowPlan = {
        func column(_ name: String, _ type: String, _ path: JSONKeyPath, required: Bool = false) -> RowAttribute {
            RowAttribute(
                name: name, type: AttributeType(type) ?? AttributeType(.json), source: .path(path),
                isRequired: required)
        }
        let types = AttributeType.names.enumerated().map { index, type in
            column(type, type, JSONKeyPath(components: [String(Character(Unicode.Scalar(UInt8(97 + index))))]))
        }
        let joined = RowAttribute(
            name: "joined", type: AttributeType(.string), source: .joined(["a", "b"], separator: "-"))
        let matched = RowAttribute(
            name: "matched", type: AttributeType(.integer), source: .path("b"), pattern: "([0-9]+)")
        let name = RowAttribute(name: "name", type: AttributeType(.string), source: .memberName)
        let entity = RowEntity(
            name: "E",
            attributes: types + [
                column("deep", "json", "o.a.b", required: true), column("sum", "double", "p.@sum.a"), joined, matched,
                name,
            ],
            relationships: [
                RowRelationship(name: "one", path: "r", destination: 0, isToMany: false),
                RowRelationship(name: "many", path: "q", destination: 0, isToMany: true),
                RowRelationship(name: "deep", path: "o.q", destination: 1, isToMany: true),
            ], elementNames: ["a", "e"])
        let part = RowEntity(
            name: "P", attributes: [column("b", "integer", "b", required: true), column("whole", "json", "")],
            relationships: [], elementNames: ["p"])
        do { return try RowPlan(entities: [entity, part]) } catch { fatalError("\(error)") }
    }()
}
