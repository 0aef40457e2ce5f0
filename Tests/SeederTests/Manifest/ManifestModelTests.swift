import Foundation
import ObjectStore
import Seeder
import TestSupport
import Testing

/// Stores with the model of a manifest, without classes.
@Suite struct ManifestModelTests {
    @Test func `a store has the model of a manifest`() async throws {
        let folder = try TemporaryDirectory()
        let manifest = folder.file("seed.json")
        let text = """
            { "model": { "Task": { "identifiedBy": "id", "attributes": {
                "id": { "type": "integer" }, "name": { "from": "title", "type": "string" } } } },
              "sources": [{ "file": "tasks.json", "entity": "Task" }] }
            """
        try Data(text.utf8).write(to: manifest)
        let url = folder.file("app.sqlite")
        let store = try await ManagedObjectStore.open(at: url, model: ObjectModel(manifest: manifest))
        try await store.perform { context in
            let task = try context.insert("Task")
            task["id"] = 1
            task["name"] = "Paint"
            try context.save()
        }
        store.close()
        let names = try await ManagedObjectStore.open(at: url).perform { context in
            try context.fetch("Task").map { $0["name"] as? String }
        }
        #expect(names == ["Paint"])
    }

    @Test func `a wrong manifest is an error`() throws {
        let folder = try TemporaryDirectory()
        let missing = #expect(throws: SeedError.self) { try ObjectModel(manifest: folder.file("missing.json")) }
        #expect(missing?.kind == .inputMissing)
        try Data(#"{ "model": { "Task": { "attributes": { "id": { "type": "intger" } } } }, "sources": [] }"#.utf8)
            .write(to: folder.file("seed.json"))
        let wrong = #expect(throws: SeedError.self) { try ObjectModel(manifest: folder.file("seed.json")) }
        #expect(wrong?.kind == .badData)
    }
}
