import ObjectMapping
import TestSupport
import Testing

/// An object without connections, which plain decoding can read, too.
private final class Order: Stored {
    var id = 0
    var title = ""
    var customer = ""
    var isPaid = false
    var price = 0.0
    var created = Date(timeIntervalSince1970: 0)
    var tags: [String] = []
    var note: String?

    static let mapping = Mapping({ Order() }) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("customer.name", \.customer)
        Attribute("paid", \.isPaid)
        Attribute("price", \.price)
        Attribute("created", \.created)
        Attribute("tags", \.tags)
        Attribute("note", \.note)
    }
    .identified(by: \.id)

    static let entity = Entity(
        Order.self, by: [\Order.id],
        [
            column(\Order.id), column(\Order.title), column(\Order.customer), column(\Order.isPaid),
            column(\Order.price), column(\Order.created), column(\Order.tags), column(\Order.note),
        ])
}

/// A data source without objects: what remains of an import is the work of the engine.
private final class EmptySource: MappingDataSource {
    var requiresIdentity: Bool { true }
    func begin() {}
    func find(_ key: ObjectKey, of kind: ObjectKind) -> AnyObject? { nil }
    func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) {}
    func nextOrder() -> Int { 0 }
    func willUpdate(_: AnyObject, of: ObjectKind, isNewer: Bool, keepState: () -> () -> Void) -> Bool { true }
    func didUpdate(_ object: AnyObject, of kind: ObjectKind, _ change: IdentityChange) {}
    func didReplace(_ old: [AnyObject], in object: AnyObject, at property: AnyKeyPath) {}
    func connect(_ object: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey]?) {}
    func savepoint() -> Int { 0 }
    func rollback(to savepoint: Int) {}
    func commit() {}
    func end() {}
}

/// Run by `MAPPINGKIT_TIMES=1 swift test -c release -Xswiftc -enable-testing --filter ImportTimeTests`.
@Suite(.enabled(if: isMeasured), .serialized) struct ImportTimeTests {
    private static let payload = Data(
        "[\((1...20_000).map(element).joined(separator: ",\n"))]".utf8)

    private static func element(_ number: Int) -> String {
        """
        {"id": \(number), "title": "The title of order number \(number)", "customer": {"name": "Customer \(number % 500)"},
         "paid": \(number % 2 == 0), "price": \(number).25, "created": "2026-03-01T10:20:30Z",
         "tags": ["new", "large", "to be delivered"], "note": null}
        """
    }

    @Test func `An import costs little more than decoding into classes`() throws {
        var times: [String: [Duration]] = [:]
        func measure(_ name: String, _ work: () throws -> Int) rethrows {
            var count = 0
            times[name, default: []].append(try ContinuousClock().measure { count = try work() })
            #expect(count == 20_000)
        }
        for _ in 0..<15 {
            let context = Context(Database(), [Order.entity])
            context.savesOnCommit = false
            try measure("classes") { try Order.mapping.mapAll(Self.payload).count }
            var report = MappingReport()
            try measure("data source") {
                try Order.mapping.mapAll(
                    Self.payload, dataSource: EmptySource(), parallel: nil, report: &report
                ).count
            }
            try measure("database") { try Order.import(Self.payload, context).count }
        }
        let medians = times.mapValues { $0.sorted()[$0.count / 2] }
        let base = try #require(medians["classes"])
        let ratios = medians.mapValues { $0 / base }
        print(ratios)
        #expect(try #require(ratios["data source"]) <= 1.25)
        // The index of the test database and its records for undo are part of it.
        #expect(try #require(ratios["database"]) <= 1.8)
    }
}
