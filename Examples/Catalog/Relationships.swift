import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let relationships = Example(
    "relationships", group: "Objects",
    "Both sides of a relationship are kept consistent, and deletion follows a rule"
) { story in
    story.say(
        "The inverse is declared on one side. Deleting a folder deletes its notes, but not their tags:"
    )
    story.showCode("declaration")

    let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Folder.self, Note.self, Tag.self)))
    story.say("An assignment to one side changes the other side immediately, before a save:")
    story.showCode("inverses")
    for line in try editNotes(in: context) { story.show(line) }

    story.say("The order of an ordered relationship is stored:")
    story.showCode("order")
    story.show(try reorder(in: context))

    story.say("Deleting the folder deletes its notes. The tag remains, without notes:")
    story.showCode("deleting")
    story.show(try deleteFolder(in: context))
}

// snippet.declaration
private final class Folder: ManagedObject {
    @Stored(.identity) var name = ""
    @ToMany(inverse: \Note.folder, isOrdered: true, deleteRule: .cascade) var notes: [Note]
}

private final class Note: ManagedObject {
    @Stored var text = ""
    @ToOne var folder: Folder?
    @ToMany(inverse: \Tag.notes) var tags: [Tag]
}

private final class Tag: ManagedObject {
    @Stored(.identity) var name = ""
    @ToMany var notes: [Note]
}
// snippet.end

// snippet.inverses
private func editNotes(in context: ObjectContext) throws -> [String] {
    let (folder, urgent) = (Folder(in: context), Tag(in: context))
    (folder.name, urgent.name) = ("Kitchen", "urgent")
    for text in ["kettle", "tea", "cups"] {
        let note = Note(in: context)
        note.text = text
        note.folder = folder
    }
    urgent.notes = [folder.notes[0], folder.notes[2]]
    try context.save()
    return folder.notes.map { "\($0.text): \($0.tags.map(\.name))" }
}
// snippet.end

// snippet.order
private func reorder(in context: ObjectContext) throws -> String {
    let folder = try Folder.find("Kitchen", in: context)
    folder?.notes.swapAt(0, 2)
    try context.save()
    context.refresh()
    return folder?.notes.map(\.text).joined(separator: ", ") ?? ""
}
// snippet.end

// snippet.deleting
private func deleteFolder(in context: ObjectContext) throws -> String {
    let folders = try context.fetch(Folder.all)
    folders.forEach(context.delete)
    try context.save()
    let tag = try Tag.find("urgent", in: context)
    return "\(try context.count(Note.all)) notes are left, \(tag?.notes.count ?? 0) of them are urgent"
}
// snippet.end
