import Foundation
import ObjectMapping
import ObjectStore

let objectStore = Example(
    "object-store", group: "Objects", "Managed objects: created, found, changed and saved, in a file that survives"
) { story in
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "articles.sqlite")

    story.say("A class declares what is stored by property wrappers. There is no schema to write and no code to generate:")
    story.showCode("declaration")

    story.say("A store opens a file for these classes, and creates it the first time. Work is done in contexts:")
    story.showCode("saving")
    try await saveArticles(in: file)

    story.say("Later, in another process, the objects are in the file. A query is a closure over the properties:")
    story.showCode("reading")
    for line in try await readArticles(in: file) { story.show(line) }

    story.say("A payload of JSON is mapped into the same objects: found by their identity, or created.")
    story.showCode("mapping")
    for line in try await mapArticles(in: file) { story.show(line) }

    story.say("A save that fails writes nothing, and has every problem of every object:")
    do {
        let store = try ManagedObjectStore(at: file, model: ObjectModel(Article.self, Author.self))
        try await store.perform { context in
            Article(in: context).articleID = 4
            Article(in: context).articleID = 5
            try context.save()
        }
    } catch {
        story.show("\(error)".replacing(/new\d+/, with: "new"))
    }
}

// snippet.declaration
private final class Article: ManagedObject, Mappable {
    @Stored(.identity) var articleID = 0
    @Stored(.required, .indexed) var title: String? = nil
    @Stored var words = 0
    @Stored var published: Date? = nil
    @ToOne var author: Author?

    static let mapping = Mapping(Article.self) {
        Attribute("id", \.articleID)
        Attribute("title", \.title)
        Attribute("words", \.words)
        Relationship("author", \.author)
    }
}

private final class Author: ManagedObject, Mappable {
    @Stored(.identity) var name = ""
    @ToMany(inverse: \Article.author) var articles: [Article]

    static let mapping = Mapping(Author.self) { Attribute("name", \.name) }
}
// snippet.saving
private func saveArticles(in file: URL) async throws {
    let store = try await ManagedObjectStore.open(at: file, model: ObjectModel(Article.self, Author.self))
    try await store.perform { context in
        let ann = Author(in: context)
        ann.name = "Ann"
        let article = Article(in: context)
        article.articleID = 1
        article.title = "Building a kettle"
        article.words = 1200
        article.author = ann  // and ann.articles contains the article
        try context.save()
    }
}
// snippet.reading
private func readArticles(in file: URL) async throws -> [String] {
    let store = try await ManagedObjectStore.open(at: file, model: ObjectModel(Article.self, Author.self))
    return try await store.perform { context in
        let long = Article.where { $0.words > 1000 && $0.author.name == "Ann" }.sorted(by: \.title)
        return try context.fetch(long).map { "\($0.title ?? "-") by \($0.author?.name ?? "-")" }
    }
}
// snippet.mapping
private func mapArticles(in file: URL) async throws -> [String] {
    let json = """
        [{"id": 1, "words": 1350}, {"id": 2, "title": "Tea", "words": 300, "author": {"name": "Ann"}}]
        """
    let store = try await ManagedObjectStore.open(at: file, model: ObjectModel(Article.self, Author.self))
    return try await store.perform { context in
        _ = try context.map(json, with: Article.mapping)
        try context.save()
        let ann = try Author.find("Ann", in: context)
        return ann?.articles.map { "\($0.title ?? "-"): \($0.words) words" } ?? []
    }
}
// snippet.end
