import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore
import Seeder

let seedUpgrade = Example(
    "seed-upgrade", group: "Objects",
    "A new version of a seed is merged with the changes of the user, and conflicts are listed"
) { story in
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try await seed("first", firstDump, in: folder)
    let second = try await seed("second", secondDump, in: folder)

    story.say(
        "The first release of an app copies its seed. The option keeps the original values of what a user changes:")
    story.showCode("opening")
    let store = try await openShop(folder.appending(path: "shop.sqlite"), seed: first)
    story.show(try await list(store))

    story.say("The user edits two products, deletes one, and adds one:")
    story.showCode("editing")
    try await edit(store)
    story.show(try await list(store))

    story.say("The next release has another seed:")
    story.show(secondDump)
    story.say("It is merged into the file of the user, in one transaction:")
    story.showCode("upgrading")
    for line in try await upgrade(store, to: second) { story.show(line) }
    story.show(try await list(store))
}

private let firstDump = """
    [{"id": 1, "name": "Kettle", "price": 20}, {"id": 2, "name": "Cup", "price": 3},
     {"id": 3, "name": "Plate", "price": 5}, {"id": 4, "name": "Spoon", "price": 1}]
    """
private let secondDump = """
    [{"id": 1, "name": "Electric kettle", "price": 25}, {"id": 2, "name": "Cup", "price": 4},
     {"id": 3, "name": "Plate", "price": 6}, {"id": 5, "name": "Fork", "price": 1}]
    """

// snippet.opening
private final class ShopItem: ManagedObject {
    override class var entityName: String { "Product" }
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @Stored var price: Double? = nil
}

private func openShop(_ file: URL, seed: URL) async throws -> ManagedObjectStore {
    var options = ManagedObjectStore.Options()
    options.keepsSeededValues = true
    return try await .open(at: file, model: ObjectModel(ShopItem.self), seed: seed, options: options)
}
// snippet.end

// snippet.editing
private func edit(_ store: ManagedObjectStore) async throws {
    try await store.perform { context in
        try context.find(ShopItem.self, 1)?.price = 18
        try context.find(ShopItem.self, 2)?.name = "My cup"
        if let plate = try context.find(ShopItem.self, 3) { context.delete(plate) }
        let new = ShopItem(in: context)
        (new.id, new.name) = (100, "Teapot")
        try context.save()
    }
}
// snippet.end

// snippet.upgrading
private func upgrade(_ store: ManagedObjectStore, to seed: URL) async throws -> [String] {
    let report = try await store.upgradeSeed(to: seed, policy: .userWins)
    return [report.description]
        + report.conflicts.map { conflict in
            "\(conflict)" + (conflict.property == nil ? "" : ": \(conflict.user) instead of \(conflict.seed)")
        }
}
// snippet.end

private func list(_ store: ManagedObjectStore) async throws -> String {
    try await store.perform { context in
        try context.fetch(ShopItem.all.sorted(by: \.id))
            .map { "\($0.id) \($0.name) \($0.price.map { "\($0)" } ?? "-")" }.joined(separator: ", ")
    }
}

private func seed(_ name: String, _ dump: String, in folder: URL) async throws -> URL {
    let manifest = """
        { "model": { "Product": { "identifiedBy": "id", "attributes": {
            "id": { "type": "integer" }, "name": { "type": "string" }, "price": { "type": "double" } } } },
          "sources": [{ "file": "\(name).json", "entity": "Product" }] }
        """
    let file = folder.appending(path: "manifest.json")
    try Data(dump.utf8).write(to: folder.appending(path: "\(name).json"))
    try Data(manifest.utf8).write(to: file)
    let output = folder.appending(path: "\(name).sqlite")
    _ = try ObjectSeeder(manifest: file, output: output).finish()
    return output
}
