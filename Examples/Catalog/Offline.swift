import ExampleSupport
import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization

let offline = Example(
    "offline", group: "Loading",
    "The same call with and without a network: stored lists first, fresh lists without a request, and what is shown offline"
) { story in
    let harbor = try HarborServer()
    let store = try ManagedObjectStore(inMemory: ObjectModel(Berth.self))

    story.say("The queries of a path select the objects that a response of the path has:")
    story.showCode("describe")
    let manager = harborManager(RESTClient(baseURL: harbor.server.url), store)

    story.say("A path with queries loads from the server, and from the store if the server cannot be reached:")
    story.showCode("show")
    story.show(try await shownBerths(by: manager))
    manager.reachability = ReachabilityObserver(initially: .notReachable(.noRoute))
    story.show(try await shownBerths(by: manager))
    story.say("The observer of the network decides, so that nobody waits for a timeout. Other errors are still errors.")
    manager.reachability = nil

    story.say("A screen shows what is stored, and then what the server has:")
    story.showCode("both")
    harbor.setBerths(["North 1", "North 2", "South 1"])
    for line in try await bothResults(by: manager) { story.show(line) }

    story.say("A list that may be a minute old needs no request, also after a restart:")
    story.showCode("fresh")
    story.show(try await freshness(by: manager))
    story.show("The server received \(harbor.server.requests.count) requests.")
}

// snippet.describe
final class Berth: ManagedObject, Mappable {
    @Stored(.identity) var berthID = 0
    @Stored var name = ""
    static let mapping = Mapping(Berth.self) {
        Attribute("id", \.berthID); Attribute("name", \.name)
    }
}

private func harborManager(_ client: RESTClient, _ store: ManagedObjectStore) -> ObjectManager {
    let manager = ObjectManager(client: client, store: store)
    manager.responses.add(Berth.mapping, path: "/harbors/:harbor/berths")
    manager.offline.add("/harbors/:harbor/berths") { _ in [Berth.all.sorted(by: \.name)] }
    return manager
}
// snippet.end

// snippet.show
private func shownBerths(by manager: ObjectManager) async throws -> String {
    let result = try await manager.load("/harbors/1/berths")
    return (result.isLocal ? "offline: " : "online: ") + (try await names(result, manager))
}
// snippet.end

// snippet.both
private func bothResults(by manager: ObjectManager) async throws -> [String] {
    var lines: [String] = []
    for try await result in manager.load("/harbors/1/berths", policy: .localThenRemote) {
        lines.append((result.isLocal ? "at once: " : "then: ") + (try await names(result, manager)))
    }
    return lines
}
// snippet.end

// snippet.fresh
private func freshness(by manager: ObjectManager) async throws -> String {
    let policy = FetchPolicy.remoteElseLocal.maximumAge(.seconds(60))
    let result = try await manager.load("/harbors/1/berths", policy: policy)
    return result.isLocal ? "no request" : "a request"
}
// snippet.end

private func names(_ result: LoadResult, _ manager: ObjectManager) async throws -> String {
    guard let store = manager.store else { return "" }
    return try await store.perform { context in
        try result.objects(of: Berth.self, in: context).map(\.name).joined(separator: ", ")
    }
}

/// A server with a list that changes.
private final class HarborServer: Sendable {
    let server: LoopbackServer
    private let names: Names

    private final class Names: Sendable {
        let list = Mutex(["North 1", "North 2"])
    }

    init() throws {
        let names = Names()
        self.names = names
        server = try LoopbackServer { _ in
            let berths = names.list.withLock { list in
                list.enumerated().map { #"{"id": \#($0.offset + 1), "name": "\#($0.element)"}"# }
            }
            return Answer(
                200, headers: [Header("Content-Type", "application/json")],
                body: "[\(berths.joined(separator: ","))]".utf8)
        }
    }

    func setBerths(_ list: [String]) { names.list.withLock { $0 = list } }
}
