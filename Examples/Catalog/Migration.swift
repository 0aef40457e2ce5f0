import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let migration = Example(
    "migration", group: "Objects",
    "A file of an earlier release: renamed, widened and added attributes, a step by hand, and the plan before"
) { story in
    let folder = FileManager.default.temporaryDirectory.appending(path: "migration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "contacts.sqlite")
    story.say("The first release stores the name of a contact in one attribute, and the age as a text:")
    story.showCode("first")
    try await createFirst(at: file)

    story.say("The second one has another name for the class and its number, two names, and a number for the age:")
    story.showCode("second")

    story.say("A text cannot become a number without a step. The file is refused, and not changed:")
    let model = try ObjectModel(Acquaintance.self)
    do {
        _ = try await ManagedObjectStore.open(at: file, model: model)
    } catch let error as StoreError {
        story.show("\(error.kind): \(error.message.components(separatedBy: "classes: ").last ?? "")")
    }

    story.say("Two steps provide the names and the ages, one in Swift and one in SQL:")
    story.showCode("steps")

    story.say("A plan shows what opening the file would change:")
    let plan = try await ManagedObjectStore.migrationPlan(at: file, model: model, options: options())
    for line in plan.description.split(separator: "\n") { story.show(String(line)) }

    story.say("Then the file is opened, in one transaction:")
    let store = try await ManagedObjectStore.open(at: file, model: model, options: options())
    let people = try await store.perform { context in
        try context.fetch(Acquaintance.all.sorted(by: \.number)).map {
            "\($0.number): \($0.first), \($0.last), \($0.age)"
        }
    }
    for person in people { story.show(person) }

    story.say("A program of the first release does not open it any more:")
    do {
        _ = try await ManagedObjectStore.open(at: file, model: ObjectModel(FirstRelease.Contact.self))
    } catch let error as StoreError {
        story.show("\(error.kind): \(error.advice ?? "")")
    }
}

// snippet.first
private enum FirstRelease {
    final class Contact: ManagedObject {
        @Stored(.identity) var contactID = 0
        @Stored var name = ""
        @Stored var age = ""
    }
}
// snippet.end

private func createFirst(at file: URL) async throws {
    let store = try ManagedObjectStore(at: file, model: ObjectModel(FirstRelease.Contact.self))
    try await store.perform { context in
        for (index, (name, age)) in [("Ada Brandt", "36"), ("Tomás Rivera", "about 40")].enumerated() {
            let contact = FirstRelease.Contact(in: context)
            (contact.contactID, contact.name, contact.age) = (index + 1, name, age)
        }
        try context.save()
    }
    store.close()
}

// snippet.second
private final class Acquaintance: ManagedObject {
    override class var formerEntityNames: [String] { ["Contact"] }
    @Stored(.identity, .was("contactID")) var number = 0
    @Stored(.indexed) var last = ""
    @Stored var first = ""
    @Stored var age = 0
}
// snippet.end

// snippet.steps
private func options() -> ManagedObjectStore.Options {
    var options = ManagedObjectStore.Options()
    options.migrationSteps = [
        MigrationStep("names in two parts", providing: ["Acquaintance.first", "Acquaintance.last"]) { migration in
            try migration.update("Acquaintance") { row in
                let parts = (row["name"].text ?? "").split(separator: " ", maxSplits: 1)
                row["first"] = .text(String(parts.first ?? ""))
                row["last"] = .text(String(parts.last ?? ""))
            }
        },
        MigrationStep(
            "ages as numbers", providing: ["Acquaintance.age"],
            sql: """
                UPDATE "Acquaintance" SET "age" = CAST(replace("_mappingkit_old_age", 'about ', '') AS INTEGER)
                """),
    ]
    return options
}
// snippet.end
