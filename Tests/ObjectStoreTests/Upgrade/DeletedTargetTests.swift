import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Links of a seed to objects that the user has deleted.
@Suite struct DeletedTargetTests {
    let folder: SeedUpgradeFolder

    init() throws { folder = try SeedUpgradeFolder() }

    /// Writes a seed with articles that refer to the shelf "top", the label "new" and the first article.
    private func seed(_ name: String, _ articles: Int, hasTargets: Bool = true) throws -> URL {
        try folder.seed(name) { context in
            var first: ShopArticle?
            for index in 1...articles {
                let article = context.article("a\(index)", "Cup")
                first = first ?? article
                guard hasTargets else { continue }
                article.shelf = try context.shelf("top")
                article.labels = [try context.label("new")]
                article.related = index == 1 ? [] : [first].compactMap(\.self)
            }
        }
    }

    private func delete(in context: ObjectContext) async throws {
        context.delete(try context.shelf("top"))
        context.delete(try context.label("new"))
        try await context.save()
    }

    private func expectSound(_ store: ManagedObjectStore, at location: SourceLocation = #_sourceLocation) throws {
        #expect(try SeedDatabase(at: folder.url).damages() == [], sourceLocation: location)
    }

    @Test func `are not set, also if a later seed has the objects again`() async throws {
        let store = try await folder.open(seed("1.sqlite", 2))
        let context = ObjectContext(store)
        try await delete(in: context)
        for (number, hasTargets) in [(2, true), (3, false), (4, true), (5, true)] {
            let report = try await store.upgradeSeed(
                to: seed("\(number).sqlite", number + 1, hasTargets: hasTargets), policy: .seedWins)
            #expect(report["ShopShelf"]?.inserted == 0 && report["ShopLabel"]?.inserted == 0, "\(number): \(report)")
            #expect(try await context.count(ShopShelf.all) == 0)
            #expect(try await context.count(ShopLabel.all) == 0)
            #expect(try context.articles() == (1...number + 1).map { "a\($0) Cup - - - []" })
            try expectSound(store)
        }
    }

    @Test(arguments: [SeedConflictPolicy.userWins, .seedWins, .throwConflict])
    func `are not set again if the user creates the objects again`(policy: SeedConflictPolicy) async throws {
        let store = try await folder.open(seed("1.sqlite", 2))
        let context = ObjectContext(store)
        try await delete(in: context)
        _ = try (context.shelf("top"), context.label("new"))
        try await context.save()
        for number in 2...3 {
            let report = try await store.upgradeSeed(to: seed("\(number).sqlite", number + 1), policy: policy)
            #expect(report.conflicts.isEmpty)
            let new = (3...number + 1).map { "a\($0) Cup - - top [\"new\"]" }
            #expect(try context.articles() == ["a1 Cup - - - []", "a2 Cup - - - []"] + new)
            #expect(try context.shelf("top").articles.count == number - 1)
            try expectSound(store)
        }
    }

    @Test func `are removed with an object that refers to them`() async throws {
        let store = try await folder.open(seed("1.sqlite", 3))
        let context = ObjectContext(store)
        context.delete(try context.known("a1"))
        try await context.save()
        try await store.upgradeSeed(to: seed("2.sqlite", 4))
        let articles = try await context.fetch(ShopArticle.all.sorted(by: \.sku))
        #expect(articles.map(\.sku) == ["a2", "a3", "a4"])
        #expect(articles.flatMap(\.related).isEmpty)
        #expect(try context.shelf("top").articles.count == 3)
        try expectSound(store)
    }
}
