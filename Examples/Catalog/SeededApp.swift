import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore
import Seeder

let seededApp = Example(
    "seeded-app", group: "Objects", "An app that starts with a seed database, edits it, and resets it"
) { story in
    let data = exampleData("tracker")
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let seed = folder.appending(path: "seed.sqlite")
    _ = try ObjectSeeder(manifest: data.appending(path: "seed.json"), output: seed).finish()

    story.say(
        """
        `seed-db` has built a database from JSON dumps. `seed-db models --kind managed` generates such classes. \
        `entityName` names the entity of a class with another name:
        """)
    story.showCode("declaration")

    story.say(
        "The first start verifies the checksum and the model of the seed, and copies it. Later starts open the copy:")
    story.showCode("opening")
    let file = folder.appending(path: "app.sqlite")
    story.show(try await planWork(file, seed: seed))
    story.show(try await planWork(file, seed: seed))

    story.say("The store can be reset to the seed:")
    let store = try await ManagedObjectStore.open(at: file, model: trackerModel(), seed: seed)
    let fresh = try await store.reset()
    story.show("\(try await fresh.perform { try $0.count(TrackerTask.all) }) tasks")

    story.say("A damaged seed is refused, and no file is created:")
    var bytes = try Data(contentsOf: seed)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: seed)
    do {
        _ = try await ManagedObjectStore.open(
            at: folder.appending(path: "other.sqlite"), model: trackerModel(), seed: seed)
    } catch {
        let text = "\(error)".replacing(folder.path + "/", with: "").replacing(/[0-9a-f]{64}/, with: "…")
        story.show(text)
    }
}

// snippet.declaration
private final class TrackerTask: ManagedObject {
    override class var entityName: String { "Task" }
    @Stored(.identity) var id = 0
    @Stored(.indexed) var name: String? = nil
    @Stored var hours: Double? = nil
    @Stored var projectID: Int? = nil
    @Stored var assignedUserID: Int? = nil
    @ToOne var project: TrackerProject?
    @ToOne var assignedUser: TrackerUser?
}

private final class TrackerProject: ManagedObject {
    override class var entityName: String { "Project" }
    @Stored(.identity) var id = 0
    @Stored var name: String? = nil
    @Stored var startedAt: Date? = nil
    @Stored var ownerID: Int? = nil
    @ToOne var owner: TrackerUser?
}

private final class TrackerUser: ManagedObject {
    override class var entityName: String { "User" }
    @Stored(.identity) var id = 0
    @Stored var name: String? = nil
}

private func trackerModel() throws -> ObjectModel {
    try ObjectModel(TrackerTask.self, TrackerProject.self, TrackerUser.self)
}
// snippet.end

// snippet.opening
private func planWork(_ file: URL, seed: URL) async throws -> String {
    let store = try await ManagedObjectStore.open(at: file, model: trackerModel(), seed: seed)
    return try await store.perform { context in
        let count = try context.count(TrackerTask.all)
        let task = TrackerTask(in: context)
        task.id = 1000 + count
        task.name = "Plan the week"
        task.assignedUser = try context.fetchFirst(TrackerUser.all.sorted(by: \.id))
        try context.save()
        return "\(count) tasks; one more for \(task.assignedUser?.name ?? "-")"
    }
}
// snippet.end
