import ExampleSupport
import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization

let pruning = Example(
    "pruning", group: "Loading",
    "Objects that a list no longer has: nothing is deleted unless asked, and never because of an error or too many at once"
) { story in
    let orders = try OrderServer()
    let store = try ManagedObjectStore(inMemory: ObjectModel(PurchaseOrder.self, PurchaseLine.self))
    story.say("Orders with their lines; the queries of the paths are their scope:")
    story.showCode("describe")
    let manager = orderManager(RESTClient(baseURL: orders.server.url), store)
    orders.set("/orders", ids: Array(1...30))
    orders.set("/orders/1/lines", ids: [1, 2, 3])
    story.show(try await load("/orders", pruning: .none, by: manager))
    story.show(try await load("/orders/1/lines", pruning: .none, by: manager))

    story.say("The server no longer has order 30. A dry run lists what would be deleted; `.scope` deletes it:")
    story.showCode("load")
    orders.set("/orders", ids: Array(1...29))
    for pruning in [Pruning.none, .dryRun, .scope] {
        story.show(try await load("/orders", pruning: pruning, by: manager))
    }

    story.say("An empty list is often a mistake. More than a fifth of a scope is not removed unless it is allowed:")
    orders.set("/orders", ids: [])
    story.show(try await load("/orders", pruning: .scope, by: manager))
    story.say("Errors delete nothing, and neither do pages, filters, and bodies with rejected elements:")
    orders.fail("/orders")
    story.show(try await load("/orders", pruning: .scope, by: manager))

    story.say(
        """
        A line that is missing in its order may belong to another order now. It is disconnected, and not deleted, unless \
        the call states that lines never move:
        """)
    orders.set("/orders/1/lines", ids: [1, 2])
    story.show(try await load("/orders/1/lines", pruning: .scope, by: manager))
    orders.set("/orders/1/lines", ids: [1])
    story.show(try await load("/orders/1/lines", pruning: .scope.assumingNoMoves(), by: manager))
}

// snippet.describe
final class PurchaseOrder: ManagedObject, Mappable {
    @Stored(.identity) var orderID = 0
    @ToMany(inverse: \PurchaseLine.order) var lines: [PurchaseLine]
    static let mapping = Mapping(PurchaseOrder.self) { Attribute("id", \.orderID) }
}

final class PurchaseLine: ManagedObject, Mappable {
    @Stored(.identity) var lineID = 0
    @Stored var orderID: Int? = nil
    @ToOne var order: PurchaseOrder?
    static let mapping = Mapping(PurchaseLine.self) {
        Attribute("id", \.lineID)
        Attribute("order_id", \.orderID)
        Connection(\.order, by: \.orderID)
    }
}

private func orderManager(_ client: RESTClient, _ store: ManagedObjectStore) -> ObjectManager {
    let manager = ObjectManager(client: client, store: store)
    manager.responses.add(PurchaseOrder.mapping, path: "/orders")
    manager.responses.add(PurchaseLine.mapping, path: "/orders/:id/lines")
    manager.offline.add("/orders") { _ in [PurchaseOrder.all] }
    manager.offline.add("/orders/:orderID/lines") { parameters in
        [PurchaseLine.where { $0.order.orderID == parameters["orderID"] }]
    }
    return manager
}
// snippet.end

// snippet.load
private func load(_ path: String, pruning: Pruning, by manager: ObjectManager) async throws -> String {
    do {
        let result = try await manager.load(path, policy: .remote, pruning: pruning)
        return result.pruning.map { "\(result.objectIDs.count) loaded; \($0)" } ?? "\(result.objectIDs.count) loaded"
    } catch let error as MappedRequestError {
        let count = try manager.store?.count(of: "PurchaseOrder") ?? 0
        return "status \(error.response?.status ?? 0); \(count) orders are stored"
    }
}
// snippet.end

/// A server with lists that change.
private final class OrderServer: Sendable {
    let server: LoopbackServer
    private let lists: Lists

    private final class Lists: Sendable {
        let bodies = Mutex<[String: String]>([:])
    }

    init() throws {
        let lists = Lists()
        self.lists = lists
        server = try LoopbackServer { request in
            guard let body = lists.bodies.withLock({ $0[request.target] }) else { return Answer(503) }
            return Answer(200, headers: [Header("Content-Type", "application/json")], body: body.utf8)
        }
    }

    func set(_ target: String, ids: [Int]) {
        let order = target.hasSuffix("lines") ? #", "order_id": 1"# : ""
        let body = "[\(ids.map { #"{"id": \#($0)\#(order)}"# }.joined(separator: ","))]"
        lists.bodies.withLock { $0[target] = body }
    }

    func fail(_ target: String) { lists.bodies.withLock { $0[target] = nil } }
}
