import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let searchExample = Example(
    "search", group: "Objects", "Notes found by the words of a search field, ranked, with highlighted snippets"
) { story in
    let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Memo.self)))
    try addMemos(to: context)
    story.say("The option `.searchable` gives the file a full-text index, which triggers keep up to date:")
    story.showCode("declaration")

    story.say("All words are found in any attribute, and case and accents are ignored. The best matches are first:")
    story.showCode("searching")
    for text in ["attic", "attic -cellar", "cafe OR wine", "\"the stairs\"", "sta*", "🎉 \" (("] {
        story.show("\(text): \(try titles(matching: text, context))")
    }

    story.say("Snippets show the words that were found:")
    story.showCode("snippets")
    for line in try snippets(of: "stairs attic", context) { story.show(line) }

    story.say("Conditions can be combined, and the syntax of FTS5 is available as well:")
    story.showCode("conditions")
    for line in try combine(context) { story.show(line) }
}

// snippet.declaration
private final class Memo: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored(.searchable) var title = ""
    @Stored(.searchable) var text = ""
    @Stored var isDone = false
}
// snippet.end

// snippet.searching
private func titles(matching text: String, _ context: ObjectContext) throws -> [String] {
    try context.fetch(Memo.where { $0.search(text) }).map(\.title)
}
// snippet.end

// snippet.snippets
private func snippets(of text: String, _ context: ObjectContext) throws -> [String] {
    try context.matches(of: Memo.where { $0.search(text) }, words: 6).map { match in
        var snippet = match.snippet
        for range in match.highlights.reversed() {
            snippet.replaceSubrange(range, with: "[\(snippet[range])]")
        }
        return "\(match.object.title): \(snippet)"
    }
}
// snippet.end

// snippet.conditions
private func combine(_ context: ObjectContext) throws -> [String] {
    let open = try context.fetch(Memo.where { $0.search("attic") && !$0.isDone }.sorted(by: \.number))
    let titled = try context.fetch(Memo.where { $0.title.search("attic") })
    let near = try context.fetch(Memo.where { $0.search(syntax: "NEAR(stairs cellar, 3)") })
    var lines = ["open: \(open.map(\.number)), titled: \(titled.map(\.number)), near: \(near.map(\.number))"]
    do {
        _ = try context.fetch(Memo.where { $0.search(syntax: "stairs AND (") })
    } catch {
        lines.append("\(error.kind): \(error.message)")
    }
    return lines
}
// snippet.end

private func addMemos(to context: ObjectContext) throws {
    for (number, title, text, isDone) in [
        (1, "Attic", "Boxes and lamps, and the stairs down to the cellar", false),
        (2, "Cellar", "Wine, and a lamp that does not work", false),
        (3, "Café in the attic", "Tea and cake: the attic is warm in winter", true),
    ] {
        let memo = Memo(in: context)
        (memo.number, memo.title, memo.text, memo.isDone) = (number, title, text, isDone)
    }
    try context.save()
}
