import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore
import Seeder

let untyped = Example(
    "untyped", group: "Objects",
    "A database that a program knows nothing about: its objects are printed, queried, changed and related by names"
) { story in
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let seed = folder.appending(path: "seed.sqlite")
    _ = try ObjectSeeder(manifest: exampleData("tracker").appending(path: "seed.json"), output: seed).finish()
    let store = try await ManagedObjectStore.open(at: folder.appending(path: "app.sqlite"), seed: seed)

    story.say("A file contains its model, so that it opens without classes. This function prints any database:")
    story.showCode("browser")
    for line in try await outline(of: store, limit: 2) { story.show(line) }

    story.say("Conditions, orders and assignments use names, and relationships have both sides:")
    story.showCode("editor")
    for line in try await reassignTasks(in: store) { story.show(line) }

    story.say("A wrong name or type is an error with similar names. Subscripts report it when the object is saved:")
    story.showCode("mistakes")
    for line in try await makeMistakes(in: store) { story.show(line) }
}

// snippet.browser
private func outline(of store: ManagedObjectStore, limit: Int) async throws -> [String] {
    try await store.perform { context in
        try store.model.entities.flatMap { entity in
            let count = try store.count(of: entity.name)
            let objects = try context.fetch(context.query(entity.name).limit(limit))
            return ["\(entity.name): \(count)"]
                + objects.map { object in
                    let values = entity.attributes.map { "\($0.name) \(object[$0.name].map { "\($0)" } ?? "-")" }
                    let targets = entity.relationships.compactMap { relationship -> String? in
                        let target: ManagedObject? = object[relationship.name]
                        return target.map { "\(relationship.name) \($0.managed.id)" }
                    }
                    return "  " + (values + targets).joined(separator: ", ")
                }
        }
    }
}
// snippet.end

// snippet.editor
private func reassignTasks(in store: ManagedObjectStore) async throws -> [String] {
    try await store.perform { context in
        let free = try context.fetch("Task") { $0["assignedUser"] == nil }
        let ada = try context.fetch("User") { $0["name"].hasPrefix("Ada") }.first
        for task in free { task["assignedUser"] = ada }

        let task = try context.insert("Task")
        task["id"] = 105
        task["name"] = "Paint the door"
        task["hours"] = 2.5
        task["assignedUser"] = ada
        try context.save()

        let tasks = try context.query("Task").where { $0["assignedUser"]["name"] == "Ada Brandt" }
        return try context.fetch(tasks.sorted(by: "hours", descending: true)).compactMap { $0["name"] }
    }
}
// snippet.end

// snippet.mistakes
private func makeMistakes(in store: ManagedObjectStore) async throws -> [String] {
    var errors: [String] = []
    do {
        _ = try await store.perform { try $0.fetch("Taks").count }
    } catch { errors.append("\(error)") }
    do {
        _ = try await store.perform { try $0.fetch("Task") { $0["houres"] > 3 }.count }
    } catch { errors.append("\(error)") }
    do {
        try await store.perform { context in
            let task = try context.find("Task", 105)
            task?["hours"] = "two"
            task?["assignedUser"] = task
            try context.save()
        }
    } catch { errors.append("\(error)") }
    return errors
}
// snippet.end
