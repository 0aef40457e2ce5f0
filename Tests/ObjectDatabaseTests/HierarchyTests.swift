import ObjectMapping
import Testing

private class Vehicle: Makeable {
    var id = 0
    var name = ""

    required init() {}

    static let base = Mapping({ Vehicle() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
    .identified(by: \.id)
    class var entity: Entity {
        Entity(Vehicle.self, by: [\Vehicle.id], [column(\Vehicle.id), column(\Vehicle.name)])
    }
}

private final class Truck: Vehicle {
    var load = 0

    static let truck = Mapping({ Truck() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("load", \.load)
    }
    .identified(by: \.id)
    static var truckEntity: Entity {
        Entity(Truck.self, by: [\Truck.id], [column(\Truck.id), column(\Truck.name), column(\Truck.load)])
    }
}

/// Refers to a vehicle or to a user by the same property, depending on another one.
private final class Permit: Stored {
    var id = 0
    var isSpare = false
    var vehicleID: Int?
    var spareID: Int?
    var vehicle: Vehicle?

    static let mapping = Mapping({ Permit() }) {
        Attribute("id", \.id)
        Attribute("spare?", \.isSpare)
        Attribute("vehicle", \.vehicleID)
        Attribute("spare", \.spareID)
        Connection(\.vehicle, by: \.vehicleID, to: Vehicle.base, when: { !$0.isSpare && $0.id < 100 })
        Connection(\.vehicle, by: \.spareID, to: Vehicle.base, when: { $0.isSpare })
    }
    .identified(by: \.id)
    static let entity = Entity(
        Permit.self, by: [\Permit.id],
        [column(\Permit.id), column(\Permit.isSpare), column(\Permit.vehicleID), column(\Permit.spareID)],
        [relation(\Permit.vehicle)])
}

struct HierarchyTests {
    private let database = Database()
    private let context: Context

    init() { context = Self.context(database) }

    private static func context(_ database: Database) -> Context {
        Context(database, [Vehicle.entity, Truck.truckEntity, Permit.entity])
    }

    @Test(arguments: [false, true])
    func `An object of a subclass is found by the mapping of its superclass`(isOther: Bool) throws {
        try Truck.truck.all(#"[{"id": 1, "load": 7}]"#, context)
        let context = isOther ? Self.context(database) : context
        let found = try Vehicle.base.all(#"[{"id": 1, "name": "a"}, {"id": 2}]"#, context)
        #expect((found[0] as? Truck)?.load == 7 && !(found[1] is Truck))
        #expect(database.entities == ["Truck", "Vehicle"])
        #expect(try Truck.truck.all(#"[{"id": 1}]"#, context)[0].name == "a")
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `A connection to a superclass connects an object of a subclass`(order: [Int]) throws {
        for index in order {
            if index == 0 {
                try Truck.truck.all(#"[{"id": 1}]"#, context)
            } else {
                try Permit.import(#"[{"id": 5, "vehicle": 1}]"#, context)
            }
        }
        #expect(context.object(Permit.self, 5)?.vehicle is Truck && context.linkCount == 0)
    }

    @Test func `A pending conditional connection is replaced by another one, and cleared if no condition is met`()
        throws
    {
        try Vehicle.base.all(#"[{"id": 2}]"#, context)
        let permit = try Permit.import(#"[{"id": 5, "vehicle": 1, "spare": 2}]"#, context)[0]
        #expect(permit.vehicle == nil && context.linkCount == 1)
        try Permit.import(#"[{"spare?": true, "id": 5}]"#, context)
        #expect(permit.vehicle?.id == 2 && context.linkCount == 0)
        try Vehicle.base.all(#"[{"id": 1}]"#, context)
        #expect(permit.vehicle?.id == 2)
        try Permit.import(#"[{"spare?": false, "id": 5, "vehicle": 3}, {"id": 100, "vehicle": 2}]"#, context)
        #expect(permit.vehicle == nil && context.linkCount == 1 && context.object(Permit.self, 100)?.vehicle == nil)
    }

    @Test func `A payload of a superclass that changes the identity to that of another object is an issue`() throws {
        var truck = try Truck.truck.all(#"[{"id": 1, "load": 7}]"#, context)[0]
        try Truck.truck.all(#"[{"id": 2}]"#, context)
        let before = context.description
        var report = MappingReport()
        let found = issues {
            try Truck.truck.update(&truck, from: #"{"id": 2, "load": 8}"#, dataSource: context, report: &report)
        }
        #expect(found.hasSuffix("another Truck has the same key") && context.description == before)
    }
}
