import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

final class ShopArticle: ManagedObject {
    @Stored(.identity) var sku = ""
    @Stored(.searchable) var name = ""
    @Stored var price: Double? = nil
    @Stored(.unique) var code: String? = nil
    @ToOne var shelf: ShopShelf?
    @ToMany(inverse: \ShopLabel.articles) var labels: [ShopLabel]
    @ToMany(inverse: \ShopRemark.article) var remarks: [ShopRemark]
    @ToMany(isOrdered: true) var related: [ShopArticle]
}

final class ShopShelf: ManagedObject {
    @Stored(.identity) var name = ""
    @ToMany(inverse: \ShopArticle.shelf, isOrdered: true) var articles: [ShopArticle]
}

final class ShopLabel: ManagedObject {
    @Stored(.identity) var name = ""
    @ToMany var articles: [ShopArticle]
}

final class ShopRemark: ManagedObject {
    @Stored var text = ""
    @ToOne var article: ShopArticle?
}

/// A folder with a seed, a database of a user, and later seeds.
struct SeedUpgradeFolder {
    let folder: TemporaryDirectory
    let url: URL

    init() throws {
        folder = try TemporaryDirectory()
        url = folder.file("shop.sqlite")
    }

    static func model() throws -> ObjectModel {
        try ObjectModel(ShopArticle.self, ShopShelf.self, ShopLabel.self, ShopRemark.self)
    }

    /// Writes a seed.
    func seed(_ name: String, _ fill: (ObjectContext) throws -> Void) throws -> URL {
        let url = folder.file(name)
        let store = try ManagedObjectStore(at: url, model: Self.model())
        let context = ObjectContext(store)
        try fill(context)
        try context.save()
        try store.checkpoint()
        store.close()
        return url
    }

    func open(_ seed: URL) async throws -> ManagedObjectStore {
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        return try await .open(at: url, model: Self.model(), seed: seed, options: options)
    }
}

extension ObjectContext {
    @discardableResult
    func article(_ sku: String, _ name: String, _ price: Double? = nil, code: String? = nil) -> ShopArticle {
        let article = ShopArticle(in: self)
        (article.sku, article.name, article.price, article.code) = (sku, name, price, code)
        return article
    }

    func known(_ sku: String) throws -> ShopArticle { try #require(try find(ShopArticle.self, sku)) }

    func label(_ name: String) throws -> ShopLabel {
        if let known = try find(ShopLabel.self, name) { return known }
        let label = ShopLabel(in: self)
        label.name = name
        return label
    }

    func shelf(_ name: String) throws -> ShopShelf {
        if let known = try find(ShopShelf.self, name) { return known }
        let shelf = ShopShelf(in: self)
        shelf.name = name
        return shelf
    }

    /// The articles, one line each.
    func articles() throws -> [String] {
        try fetch(ShopArticle.all.sorted(by: \.sku)).map { article in
            "\(article.sku) \(article.name) \(article.price.map { "\($0)" } ?? "-") \(article.code ?? "-") "
                + "\(article.shelf?.name ?? "-") \(article.labels.map(\.name).sorted())"
        }
    }
}

@Suite struct SeedUpgradeTests {
    let folder: SeedUpgradeFolder

    init() throws { folder = try SeedUpgradeFolder() }

    private func first() throws -> URL {
        try folder.seed("first.sqlite") { context in
            for (index, name) in ["Cup", "Kettle", "Plate", "Spoon"].enumerated() {
                let article = context.article("a\(index + 1)", name, Double(index + 1))
                article.shelf = try context.shelf("top")
                article.labels = [try context.label("new")]
            }
        }
    }

    private func expectSound(_ store: ManagedObjectStore, at location: SourceLocation = #_sourceLocation) throws {
        #expect(try SeedDatabase(at: folder.url).damages() == [], sourceLocation: location)
        let names = try store.rows(sql: "SELECT name FROM temp.sqlite_schema")
        #expect(names.isEmpty, sourceLocation: location)
    }

    @Test func `changes of the seed and of the user are merged by attribute`() async throws {
        let store = try await folder.open(first())
        let context = ObjectContext(store)
        try context.known("a1").name = "My cup"
        try context.known("a2").price = 20
        context.delete(try context.known("a3"))
        context.article("u1", "Mine", 9)
        try await context.save()
        let second = try folder.seed("second.sqlite") { context in
            // In another order, so that row numbers differ.
            context.article("a5", "Fork", 5)
            context.article("a3", "Dish", 3)
            context.article("a2", "Kettle 2", 21)
            context.article("a1", "Cup", 10)
        }
        let report = try await store.upgradeSeed(to: second)
        #expect(
            try context.articles() == [
                "a1 My cup 10.0 - - []", "a2 Kettle 2 20.0 - - []", "a5 Fork 5.0 - - []", "u1 Mine 9.0 - - []",
            ])
        let counts = try #require(report["ShopArticle"])
        #expect(
            "\(counts.inserted) \(counts.updated) \(counts.removed) \(counts.kept) \(counts.deleted)" == "1 2 1 2 1")
        #expect(report.conflicts.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.changedValue, .deletedByUser])
        let conflict = try #require(report.conflicts.first { $0.kind == .changedValue })
        #expect(
            conflict.property == "price"
                && [conflict.base, conflict.user, conflict.seed] == [.real(2), .real(20), .real(21)])
        #expect(try await context.count(ShopShelf.all) == 0)
        #expect(try await context.fetch(ShopArticle.where { $0.search("fork OR spoon") }).map(\.sku) == ["a5"])
        try expectSound(store)
    }

    @Test func `an upgrade that is refused describes each conflict like the report`() async throws {
        let store = try await folder.open(first())
        let context = ObjectContext(store)
        context.delete(try context.known("a1"))
        try context.known("a2").name = "My cup"
        try await context.save()
        let second = try folder.seed("second.sqlite") { context in
            for index in 1...4 { context.article("a\(index)", "New \(index)", 1) }
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.upgradeSeed(to: second, policy: .throwConflict)
        }
        let report = try await store.upgradeSeed(to: second, isDryRun: true)
        #expect(error?.conflicts.map(\.description) == report.conflicts.map(\.description))
        #expect(report.conflicts.map(\.kind).contains(.deletedByUser))
    }

    @Test func `the policy decides about values that both have changed`() async throws {
        let store = try await folder.open(first())
        let context = ObjectContext(store)
        try context.known("a1").name = "My cup"
        try await context.save()
        let second = try folder.seed("second.sqlite") { context in
            for index in 1...4 { context.article("a\(index)", "New \(index)", 1) }
        }
        let before = try context.articles()
        let error = await #expect(throws: StoreError.self) {
            try await store.upgradeSeed(to: second, policy: .throwConflict)
        }
        #expect(error?.kind == .conflict && error?.conflicts.map(\.property) == ["name"])
        #expect(try context.articles() == before)
        let planned = try await store.upgradeSeed(to: second, policy: .seedWins, isDryRun: true)
        #expect(planned["ShopArticle"]?.updated == 4)
        #expect(try context.articles() == before)
        let report = try await store.upgradeSeed(to: second, policy: .seedWins)
        #expect(report["ShopArticle"] == planned["ShopArticle"])
        #expect(try await context.fetch(ShopArticle.all.sorted(by: \.sku)).map(\.name) == (1...4).map { "New \($0)" })
        #expect(try store.rows(sql: #"SELECT "row" FROM "_mappingkit_base" WHERE "table" = 'ShopArticle'"#).isEmpty)
    }

    @Test func `the same seed is recognized, and later seeds are merged with the last one`() async throws {
        let store = try await folder.open(first())
        let context = ObjectContext(store)
        try context.known("a1").name = "My cup"
        context.article("u1", "Mine")
        context.delete(try context.known("a4"))
        try await context.save()
        let same = try await store.upgradeSeed(to: folder.folder.file("first.sqlite"))
        #expect(same.conflicts.isEmpty && same.entities.allSatisfy { $0.inserted + $0.updated + $0.removed == 0 })
        #expect(try await store.upgradeSeed(to: folder.folder.file("first.sqlite")).isUpToDate)
        let second = try folder.seed("second.sqlite") { context in
            for index in 1...6 { context.article("a\(index)", "Two", Double(index)) }
        }
        try await store.upgradeSeed(to: second)
        try context.known("a5").price = 50
        try await context.save()
        let third = try folder.seed("third.sqlite") { context in
            for index in [1, 3, 4, 5, 7] { context.article("a\(index)", "Three", Double(index)) }
        }
        let report = try await store.upgradeSeed(to: third)
        #expect(
            try context.articles() == [
                "a1 My cup 1.0 - - []", "a3 Three 3.0 - - []", "a5 Three 50.0 - - []", "a7 Three 7.0 - - []",
                "u1 Mine - - - []",
            ])
        #expect(report["ShopArticle"]?.removed == 2)
        try expectSound(store)
    }

    @Test func `rows that the seed dropped stay if the user has changed or uses them`() async throws {
        let store = try await folder.open(first())
        let context = ObjectContext(store)
        try context.known("a1").price = 100
        let remark = ShopRemark(in: context)
        (remark.text, remark.article) = ("Nice", try context.known("a2"))
        try context.known("a3").labels.append(try context.label("mine"))
        try await context.save()
        let second = try folder.seed("second.sqlite") { context in context.article("a9", "Only") }
        let report = try await store.upgradeSeed(to: second)
        #expect(try await context.fetch(ShopArticle.all.sorted(by: \.sku)).map(\.sku) == ["a1", "a2", "a3", "a9"])
        #expect(try await context.fetch(ShopRemark.all).first?.article?.sku == "a2")
        #expect(report.conflicts.filter { $0.kind == .removedFromSeed && $0.object.entity == "ShopArticle" }.count == 3)
        // They are objects of the user now.
        let third = try folder.seed("third.sqlite") { context in context.article("a9", "Last") }
        let last = try await store.upgradeSeed(to: third)
        #expect(last.conflicts.isEmpty)
        #expect(try await context.fetch(ShopArticle.all.sorted(by: \.sku)).map(\.sku) == ["a1", "a2", "a3", "a9"])
        try expectSound(store)
    }

    @Test func `relationships are merged by identity`() async throws {
        let store = try await folder.open(first())
        let context = ObjectContext(store)
        try context.known("a1").shelf = try context.shelf("bottom")
        try context.known("a2").labels.append(try context.label("mine"))
        try await context.save()
        let second = try folder.seed("second.sqlite") { context in
            _ = try context.label("cheap")
            for (index, name) in ["Cup", "Kettle", "Plate", "Spoon"].enumerated().reversed() {
                let article = context.article("a\(index + 1)", name, Double(index + 1))
                article.shelf = try context.shelf(index == 3 ? "top" : "middle")
                article.labels = [try context.label("cheap")]
                article.related = index == 0 ? [] : [article]
            }
        }
        try await store.upgradeSeed(to: second)
        #expect(
            try context.articles() == [
                "a1 Cup 1.0 - bottom [\"cheap\"]", "a2 Kettle 2.0 - middle [\"cheap\", \"mine\"]",
                "a3 Plate 3.0 - middle [\"cheap\"]", "a4 Spoon 4.0 - top [\"cheap\"]",
            ])
        #expect(try context.shelf("middle").articles.map(\.sku).sorted() == ["a2", "a3"])
        #expect(try context.shelf("bottom").articles.map(\.sku) == ["a1"])
        #expect(try context.known("a3").related.map(\.sku) == ["a3"])
        try expectSound(store)
    }

    @Test func `a changed row follows the seed to another object if its target is dropped`() async throws {
        let store = try await folder.open(first())
        let context = ObjectContext(store)
        try context.known("a1").price = 100
        try await context.save()
        let second = try folder.seed("second.sqlite") { context in
            let article = context.article("a1", "Cup", 1)
            article.shelf = try context.shelf("other")
            article.labels = [try context.label("other")]
        }
        let report = try await store.upgradeSeed(to: second)
        #expect(try context.articles() == ["a1 Cup 100.0 - other [\"other\"]"])
        #expect(report.conflicts.isEmpty && report["ShopShelf"]?.removed == 1 && report["ShopLabel"]?.removed == 1)
        try expectSound(store)
    }

    @Test func `unique values are exchanged, and taken ones are reported`() async throws {
        let seed = try folder.seed("first.sqlite") { context in
            context.article("a1", "Cup", code: "x")
            context.article("a2", "Kettle", code: "y")
        }
        let store = try await folder.open(seed)
        let context = ObjectContext(store)
        context.article("u1", "Mine", code: "z")
        try await context.save()
        let second = try folder.seed("second.sqlite") { context in
            context.article("a1", "Cup", code: "y")
            context.article("a2", "Kettle", code: "x")
            context.article("a3", "Plate", code: "z")
        }
        let report = try await store.upgradeSeed(to: second)
        #expect(
            try context.articles() == [
                "a1 Cup - y - []", "a2 Kettle - x - []", "a3 Plate - - - []", "u1 Mine - z - []",
            ])
        #expect(report.conflicts.map(\.kind) == [.uniqueValueTaken])
        try expectSound(store)
    }

    @Test func `a row of the user with the identity of a new one becomes a row of the seed`() async throws {
        let store = try await folder.open(first())
        let context = ObjectContext(store)
        context.article("a9", "Mine")
        context.delete(try context.known("a1"))
        try await context.save()
        context.article("a1", "Again", 7)
        try context.known("a2").sku = "a8"
        try await context.save()
        let second = try folder.seed("second.sqlite") { context in
            for (sku, price) in [("a1", 2.0), ("a2", 3), ("a8", 8), ("a9", 9)] { context.article(sku, "Seed", price) }
        }
        let report = try await store.upgradeSeed(to: second)
        #expect(
            try context.articles() == [
                "a1 Again 7.0 - - []", "a8 Seed 3.0 - - []", "a9 Mine 9.0 - - []",
            ])
        #expect(report.conflicts.count { $0.kind == .identityTaken } == 1)
        let third = try folder.seed("third.sqlite") { context in
            for sku in ["a1", "a2", "a8", "a9"] { context.article(sku, "Third", 1) }
        }
        try await store.upgradeSeed(to: third)
        #expect(
            try context.articles() == ["a1 Again 7.0 - - []", "a8 Third 1.0 - - []", "a9 Mine 1.0 - - []"])
        try expectSound(store)
    }

    @Test func `rows without an identity are matched by all of their values`() async throws {
        func fill(_ texts: [(String, String)]) -> (ObjectContext) throws -> Void {
            { context in
                for sku in ["a2", "a1"] { context.article(sku, "ShopArticle") }
                for (text, sku) in texts {
                    let remark = ShopRemark(in: context)
                    (remark.text, remark.article) = (text, try context.known(sku))
                }
            }
        }
        let seed = try folder.seed("first.sqlite") { context in
            for sku in ["a1", "a2"] { context.article(sku, "ShopArticle") }
            for (text, sku) in [("same", "a1"), ("same", "a1"), ("other", "a2"), ("old", "a2"), ("edited", "a1")] {
                let remark = ShopRemark(in: context)
                remark.text = text
                remark.article = try context.fetchFirst(ShopArticle.where { $0.sku == sku })
            }
        }
        let store = try await folder.open(seed)
        let context = ObjectContext(store)
        try #require(try await context.fetchFirst(ShopRemark.where { $0.text == "edited" })).text = "mine"
        try #require(try await context.fetchFirst(ShopRemark.where { $0.text == "other" })).text = "changed"
        try await context.save()
        let second = try folder.seed(
            "second.sqlite",
            fill([("new", "a2"), ("other", "a2"), ("same", "a1"), ("same", "a1"), ("same", "a1"), ("same", "a2")]))
        let report = try await store.upgradeSeed(to: second)
        let lines = try await context.fetch(ShopRemark.all).map { "\($0.text) \($0.article?.sku ?? "-")" }.sorted()
        #expect(lines == ["changed a2", "mine a1", "new a2", "same a1", "same a1", "same a1", "same a2"])
        #expect(report["ShopRemark"]?.inserted == 3 && report["ShopRemark"]?.removed == 1, "\(report)")
        try expectSound(store)
    }

    @Test func `files without kept values and stores in memory are refused`() async throws {
        let seed = try first()
        let store = try await ManagedObjectStore.open(at: folder.url, model: SeedUpgradeFolder.model(), seed: seed)
        let error = await #expect(throws: StoreError.self) { try await store.upgradeSeed(to: seed) }
        #expect(error?.kind == .misuse && error?.advice?.contains("keepsSeededValues") == true)
        let memory = try ManagedObjectStore(inMemory: SeedUpgradeFolder.model())
        await #expect(throws: StoreError.self) { try await memory.upgradeSeed(to: seed) }
    }

    @Test func `a bad seed changes nothing`() async throws {
        let store = try await folder.open(first())
        let context = ObjectContext(store)
        let before = try context.articles()
        let bad = folder.folder.file("bad.sqlite")
        let missing = await #expect(throws: StoreError.self) { try await store.upgradeSeed(to: bad) }
        #expect(missing?.kind == .cannotOpen)
        try Data("no database, but long enough for a header of SQLite".utf8).write(to: bad)
        await #expect(throws: StoreError.self) { try await store.upgradeSeed(to: bad) }
        try FileManager.default.removeItem(at: bad)
        let other = try ManagedObjectStore(
            at: bad, model: ObjectModel(Song.self, Record.self, Playlist.self, Lyrics.self))
        try other.checkpoint()
        other.close()
        let mismatch = await #expect(throws: StoreError.self) { try await store.upgradeSeed(to: bad) }
        #expect(mismatch?.kind == .modelMismatch)
        let second = try folder.seed("second.sqlite") { context in context.article("a1", "Two") }
        try Data("0123  second.sqlite\n".utf8).write(to: folder.folder.file("second.sqlite.sha256"))
        let damaged = await #expect(throws: StoreError.self) { try await store.upgradeSeed(to: second) }
        #expect(damaged?.kind == .corrupt)
        #expect(try context.articles() == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.folder.url.path).allSatisfy {
                !$0.hasSuffix(".tmp")
            })
        try FileManager.default.removeItem(at: folder.folder.file("second.sqlite.sha256"))
        try await store.upgradeSeed(to: second)
        #expect(try context.articles() == ["a1 Two - - - []"])
    }
}
