import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore
import Observation

let contexts = Example(
    "contexts", group: "Objects",
    "A screen that shows and edits objects follows an import, and a report that runs meanwhile stays consistent"
) { story in
    story.say("A price list. Imports update it while the app is in use:")
    story.showCode("declaration")
    let store = try ManagedObjectStore(inMemory: ObjectModel(PricedItem.self))
    try await importPrices(lists[0], into: store)

    story.say(
        """
        The screen uses the main context, which merges what others write after every commit. Observers of the properties \
        that change are notified, as views of SwiftUI are. Nothing has to be fetched again:
        """)
    story.showCode("screen")

    story.say(
        """
        The user renames an article and has not saved yet. The import changes this name, and prices. The name that the \
        user typed remains, everything else is current. Then a background task deletes an article:
        """)
    story.showCode("merging")
    for line in try await editDuringImport(into: store) { story.show(line) }

    story.say(
        """
        The context of an actor merges at its next fetch, find, map, save or refresh. Between these calls no property \
        changes by itself, so that a report adds up, however long it takes:
        """)
    story.showCode("report")
    for line in try await reportDuringImport(into: store) { story.show(line) }
}

private let lists = [
    #"[{ "id": 1, "name": "Kettle", "price": 30 }, { "id": 2, "name": "Cup", "price": 5 }, { "id": 3, "name": "Tray", "price": 12 }]"#,
    #"[{ "id": 1, "name": "Electric kettle", "price": 35 }, { "id": 2, "price": 6 }]"#,
    #"[{ "id": 1, "price": 1000 }, { "id": 2, "price": 1000 }]"#,
]

// snippet.declaration
private final class PricedItem: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @Stored var price = 0

    static let mapping = Mapping(PricedItem.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("price", \.price)
    }
}

private func importPrices(_ list: String, into store: ManagedObjectStore) async throws {
    _ = try await store.importJSON(Data(list.utf8), with: PricedItem.mapping)
}
// snippet.end

// snippet.screen
@MainActor private final class PriceScreen {
    let articles: [PricedItem]

    init(_ store: ManagedObjectStore) async throws {
        articles = try await store.mainContext.fetch(PricedItem.all.sorted(by: \.id))
    }

    var lines: [String] {
        articles.filter { $0.managed.state != .deleted }.map { "\($0.name): \($0.price)" }
    }

    /// An element for the next change of what is shown.
    func nextChange() -> AsyncStream<Void> {
        AsyncStream { continuation in
            withObservationTracking {
                _ = lines
            } onChange: {
                continuation.finish()
            }
        }
    }
}
// snippet.end

// snippet.merging
@MainActor private func editDuringImport(into store: ManagedObjectStore) async throws -> [String] {
    let screen = try await PriceScreen(store)
    screen.articles[0].name = "Tea kettle"
    var shown = ["before the import: \(screen.lines)"]

    let imported = screen.nextChange()
    try await importPrices(lists[1], into: store)
    for await _ in imported {}
    shown.append("after it: \(screen.lines)")

    let deleted = screen.nextChange()
    try await store.perform { context in
        if let tray = try context.find(PricedItem.self, 3) { context.delete(tray) }
        try context.save()
    }
    for await _ in deleted {}
    return shown + ["after the deletion: \(screen.lines)"]
}
// snippet.end

// snippet.report
private actor Report {
    private let context: ObjectContext

    init(_ store: ManagedObjectStore) { context = ObjectContext(store) }

    /// Calls a closure between reading the articles and adding their prices.
    func total(meanwhile: @Sendable () async throws -> Void = {}) async throws -> Int {
        let articles = try await context.fetch(PricedItem.all)
        try await meanwhile()
        return articles.reduce(0) { $0 + $1.price }
    }
}

private func reportDuringImport(into store: ManagedObjectStore) async throws -> [String] {
    let report = Report(store)
    let total = try await report.total { try await importPrices(lists[2], into: store) }
    return ["total: \(total)", "the next one: \(try await report.total())"]
}
// snippet.end
