import ExampleSupport
import Foundation
import ObjectStore

let customStore = Example(
    "custom-store", group: "Objects",
    "A folder with a JSON file for each object is the remote of a store"
) { story in
    let folder = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    story.say("A note is a managed object with an identity that the program assigns:")
    story.showCode("model")
    story.say("The remote returns notes by a mapping, and writes one file for each change:")
    story.showCode("remote")
    let store = try await ManagedObjectStore.open(
        at: URL(filePath: ":memory:"), model: ObjectModel(FolderNote.self), remote: NoteFolder(url: folder))

    story.say("Two notes are saved. Another program adds one to the folder, and removes one:")
    story.showCode("use")
    for line in try await useNotes(store, folder) { story.show(line) }
}

// snippet.model
private final class FolderNote: ManagedObject, Mappable {
    @Stored(.identity) var name = ""
    @Stored var text = ""

    static let mapping = Mapping(FolderNote.self) {
        Attribute("name", \.name)
        Attribute("text", \.text)
    }
}
// snippet.end

// snippet.remote
private struct NoteFolder: IncrementalStore {
    let url: URL

    func metadata() -> RemoteMetadata {
        RemoteMetadata(typeName: "NoteFolder", identifier: url.path, entities: ["FolderNote"])
    }

    func fetch(_ fetch: RemoteFetch) throws -> RemoteObjects {
        let files = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        let notes = try files.sorted { $0.path < $1.path }.map { try JSON(Data(contentsOf: $0)) }
        return RemoteObjects(JSON.array(notes), with: FolderNote.mapping, isComplete: true)
    }

    func save(_ change: RemoteChange) throws -> RemoteOutcome {
        guard let name = change.object.identity["name"]?.text, !name.contains("/") else {
            return .refused(RemoteRefusal("invalid name", errors: ["name": ["must be a file name"]]))
        }
        let file = url.appending(path: name + ".json")
        if change.operation == .delete {
            try FileManager.default.removeItem(at: file)
        } else {
            let note: JSON = ["name": .string(name), "text": .string(change.values["text"]?.text ?? "")]
            try note.data.write(to: file, options: .atomic)
        }
        return .saved()
    }
}
// snippet.end

// snippet.use
@MainActor private func useNotes(_ store: ManagedObjectStore, _ folder: URL) async throws -> [String] {
    let context = store.mainContext
    for (name, text) in [("kettle", "Buy one"), ("tea", "Green")] {
        let note = FolderNote(in: context)
        (note.name, note.text) = (name, text)
    }
    try await context.save()
    let saved = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()

    try #"{"name": "cup", "text": "Blue"}"#.write(
        to: folder.appending(path: "cup.json"), atomically: true, encoding: .utf8)
    try FileManager.default.removeItem(at: folder.appending(path: "tea.json"))
    let notes = try await context.fetch(FolderNote.all.sorted(by: \.name), policy: .remote.pruning(.scope))
    return ["files: \(saved)", "notes: \(notes.map { "\($0.name): \($0.text)" })"]
}
// snippet.end
