import ExampleSupport
import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization

let listModel = Example(
    "list-model", group: "Loading",
    "A list in the terminal: loaded in pages, searched, filtered, and current after each change"
) { story in
    let harbor = Harbor()
    let server = try LoopbackServer { request in harbor.answer(request.target) }
    let store = try ManagedObjectStore(inMemory: ObjectModel(Vessel.self))
    let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
    manager.responses.add(Vessel.mapping, path: "/vessels")

    story.say("The vessels of a harbor, on a screen. The list loads a path in pages, and shows a query of the store:")
    story.showCode("screen")
    let screen = await VesselScreen(manager)
    story.show(await screen.text)

    story.say("The first page, and the next one when the last row becomes visible:")
    story.showCode("load")
    story.show(await screen.load())

    story.say("Search ignores case and diacritics and runs in the store. A filter is a closure, which can throw:")
    story.showCode("search")
    story.show(await screen.search())

    story.say("A vessel leaves and one arrives, in the background. The list is current, with positions for animations:")
    story.showCode("change")
    story.show(try await screen.change(store))

    story.say("The server fails. The list keeps its objects, and has the error until the server works again:")
    story.showCode("fail")
    harbor.isDown.withLock { $0 = true }
    story.show(await screen.reload())
    harbor.isDown.withLock { $0 = false }
    story.show(await screen.reload())
    story.show("the server received \(server.requests.map(\.target).joined(separator: ", "))")
}

// snippet.screen
@MainActor private final class VesselScreen {
    let list: ListModel<Vessel>
    var updates: [String] = []

    init(_ manager: ObjectManager) {
        list = ListModel(
            path: "/vessels", showing: Vessel.all.sorted(by: \.kind).sorted(by: \.name), pages: .page(size: 3),
            refreshRate: .seconds(600), manager: manager)
        list.sectionName = { $0.kind }
        list.onChange = { [unowned self] change in
            updates.append("+\(change.inserted) -\(change.deleted) ~\(change.updated)")
        }
    }

    var text: String {
        guard case .loaded = list.state else { return "(\(list.state))" }
        let lines = list.sections.map { section in
            "\(section.name): \(list.objects[section.range].map(\.name).joined(separator: ", "))"
        }
        let footer = list.hasNextPage ? ["… \(list.objects.count) of \(list.objectCount ?? 0)"] : []
        return (lines + footer).joined(separator: "\n")
    }
}
// snippet.end

// snippet.load
extension VesselScreen {
    func load() async -> String {
        await list.loadIfOutdated()  // GET /vessels?page=1&per_page=3
        let first = text
        await list.loadNextPage()  // `willShow(_:)` of the last rows does this, too
        return first + "\n\n" + text
    }
}
// snippet.end

// snippet.search
extension VesselScreen {
    func search() async -> String {
        list.search = ListSearch("etoile", in: \.name, \.kind)
        await list.update()  // returns when the list shows the found objects
        let found = text
        (list.search, list.filter) = (nil, { $0.name.count <= 4 })
        await list.update()
        defer { list.filter = nil }
        return found + "\n\n" + text
    }
}
// snippet.end

// snippet.change
extension VesselScreen {
    func change(_ store: ManagedObjectStore) async throws -> String {
        updates = []
        try await store.perform { context in
            if let vessel = try context.find(Vessel.self, 1) { context.delete(vessel) }
            let vessel = Vessel(in: context)
            (vessel.vesselID, vessel.name, vessel.kind) = (9, "Calypso", "tug")
            try context.save()
        }
        while updates.isEmpty { await Task.yield() }
        return updates.joined(separator: "\n") + "\n" + text
    }
}
// snippet.end

// snippet.fail
extension VesselScreen {
    func reload() async -> String {
        await list.load()
        let status = (list.error as? MappedRequestError)?.response?.status
        return "\(list.objects.count) objects, \(status.map { "status \($0)" } ?? "no error")"
    }
}
// snippet.end

final class Vessel: ManagedObject, Mappable {
    @Stored(.identity) var vesselID = 0
    @Stored var name = ""
    @Stored(.indexed) var kind = ""

    static let mapping = Mapping(Vessel.self) {
        Attribute("id", \.vesselID)
        Attribute("name", \.name)
        Attribute("kind", \.kind)
    }
}

/// A harbor with five vessels in pages of three.
private final class Harbor: Sendable {
    let isDown = Mutex(false)
    private let vessels = [
        ("Étoile", "ferry"), ("Ann", "ferry"), ("Bo", "tug"), ("Otter", "tug"), ("Vega", "yacht"),
    ]

    func answer(_ target: String) -> Answer {
        if isDown.withLock({ $0 }) { return Answer(503, body: "".utf8) }
        let start = target.contains("page=2") ? 3 : 0
        let page = vessels.indices.dropFirst(start).prefix(3).map { index in
            #"{"id": \#(index + 1), "name": "\#(vessels[index].0)", "kind": "\#(vessels[index].1)"}"#
        }
        return Answer(headers: [Header("X-Total-Count", "5")], body: "[\(page.joined(separator: ","))]".utf8)
    }
}
