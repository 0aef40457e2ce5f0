import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let objectStore = Example(
    "object-store", group: "Objects", "Managed objects: created, found, changed, and saved in a file"
) { story in
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "recipes.sqlite")

    story.say(
        "Property wrappers declare what a class stores. No schema and no generated code is needed:")
    story.showCode("declaration")

    story.say(
        "A store opens a file for these classes, and creates it the first time. Contexts read and change objects:")
    story.showCode("saving")
    try await saveRecipes(in: file)

    story.say("Later, in another process, the objects are in the file. A query is a closure over the properties:")
    story.showCode("reading")
    for line in try await readRecipes(in: file) { story.show(line) }

    story.say("JSON is mapped to the same objects. They are found by their identity, or created.")
    story.showCode("mapping")
    for line in try await mapRecipes(in: file) { story.show(line) }

    story.say("A save that fails writes nothing. Its error has the problems of all objects:")
    do {
        let store = try ManagedObjectStore(at: file, model: ObjectModel(Recipe.self, Cook.self))
        try await store.perform { context in
            Recipe(in: context).recipeID = 4
            Recipe(in: context).recipeID = 5
            try context.save()
        }
    } catch {
        story.show("\(error)".replacing(/new\d+/, with: "new"))
    }
}

// snippet.declaration
private final class Recipe: ManagedObject, Mappable {
    @Stored(.identity) var recipeID = 0
    @Stored(.required, .indexed) var title: String? = nil
    @Stored var words = 0
    @Stored var published: Date? = nil
    @ToOne var cook: Cook?

    static let mapping = Mapping(Recipe.self) {
        Attribute("id", \.recipeID)
        Attribute("title", \.title)
        Attribute("words", \.words)
        Relationship("cook", \.cook)
    }
}

private final class Cook: ManagedObject, Mappable {
    @Stored(.identity) var name = ""
    @ToMany(inverse: \Recipe.cook) var recipes: [Recipe]

    static let mapping = Mapping(Cook.self) { Attribute("name", \.name) }
}
// snippet.end

// snippet.saving
private func saveRecipes(in file: URL) async throws {
    let store = try await ManagedObjectStore.open(at: file, model: ObjectModel(Recipe.self, Cook.self))
    try await store.perform { context in
        let ann = Cook(in: context)
        ann.name = "Ann"
        let recipe = Recipe(in: context)
        recipe.recipeID = 1
        recipe.title = "Apple pie"
        recipe.words = 1200
        recipe.cook = ann  // and ann.recipes contains the recipe
        try context.save()
    }
}
// snippet.end

// snippet.reading
private func readRecipes(in file: URL) async throws -> [String] {
    let store = try await ManagedObjectStore.open(at: file, model: ObjectModel(Recipe.self, Cook.self))
    return try await store.perform { context in
        let long = Recipe.where { $0.words > 1000 && $0.cook.name == "Ann" }.sorted(by: \.title)
        return try context.fetch(long).map { "\($0.title ?? "-") by \($0.cook?.name ?? "-")" }
    }
}
// snippet.end

// snippet.mapping
private func mapRecipes(in file: URL) async throws -> [String] {
    let json = """
        [{"id": 1, "words": 1350}, {"id": 2, "title": "Tea", "words": 300, "cook": {"name": "Ann"}}]
        """
    let store = try await ManagedObjectStore.open(at: file, model: ObjectModel(Recipe.self, Cook.self))
    return try await store.perform { context in
        _ = try context.map(json, with: Recipe.mapping)
        try context.save()
        let ann = try Cook.find("Ann", in: context)
        return ann?.recipes.map { "\($0.title ?? "-"): \($0.words) words" } ?? []
    }
}
// snippet.end
