import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Article: ManagedObject, Mappable {
    @Stored(.identity) var articleID = 0
    @Stored(.unique) var sku: String? = nil
    @Stored var rack: Int? = nil
    @Stored var spot: Int? = nil
    @Stored var title = ""
    @ToMany(inverse: \Line.article) var lines: [Line]

    override class var indexes: [ObjectIndex] { [.unique("rack", "spot")] }

    static let mapping = Mapping(Article.self) {
        Attribute("id", \.articleID)
        Attribute("sku", \.sku)
        Attribute("rack", \.rack)
        Attribute("spot", \.spot)
        Attribute("title", \.title)
    }
}

private final class Line: ManagedObject, Mappable {
    @Stored(.identity) var lineID = 0
    @Stored var articleSKU: String? = nil
    @Stored var rack: Int? = nil
    @Stored var spot: Int? = nil
    @Stored var skus: [String] = []
    @ToOne var article: Article?
    @ToOne var neighbor: Article?
    @ToMany var others: [Article]

    static let mapping = Mapping(Line.self) {
        Attribute("id", \.lineID)
        Attribute("sku", \.articleSKU)
        Attribute("rack", \.rack)
        Attribute("spot", \.spot)
        Attribute("skus", \.skus)
        Connection(\.article, by: \.articleSKU, matching: \.sku)
        Connection(\.neighbor, by: \.rack, \.spot, matching: \.rack, \.spot)
        Connection(\.others, by: \.skus, matching: \.sku)
    }
    static let swapped = Mapping(Line.self) {
        Attribute("id", \.lineID)
        Attribute("rack", \.rack)
        Attribute("spot", \.spot)
        Connection(\.neighbor, by: \.spot, \.rack, matching: \.spot, \.rack)
    }
    static let wrong = Mapping(Line.self) {
        Attribute("id", \.lineID)
        Attribute("sku", \.articleSKU)
        Attribute("rack", \.rack)
        Connection(\.article, by: \.articleSKU, matching: \.title)
        Connection(\.neighbor, by: \.articleSKU, \.rack, matching: \.sku, \.rack)
    }
}

@Suite struct MatchingConnectionTests {
    let store: ManagedObjectStore

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Article.self, Line.self))
    }

    private func rows(_ sql: String) throws -> [String] {
        try store.rows(sql: sql).map { $0.values.map(\.description).joined(separator: "|") }
    }

    private func pending() throws -> [String] {
        try rows("SELECT entity, row, relationship, key FROM _mappingkit_pending ORDER BY rowid")
    }

    private func load<Model>(_ payload: String, _ mapping: Mapping<Model>) throws {
        let context = ObjectContext(store)
        _ = try context.map(payload, with: mapping)
        try context.save()
    }

    private static let lines =
        #"[{"id": 1, "sku": "A", "rack": 2, "spot": 5, "skus": ["B", "A"]}, {"id": 2, "sku": "C"}]"#
    private static let articles =
        #"[{"id": 7, "sku": "A"}, {"id": 8, "sku": "B", "rack": 2, "spot": 5}, {"id": 9, "sku": null}]"#

    private func expectConnected() throws {
        #expect(
            try rows(
                """
                SELECT a.articleID, n.articleID FROM Line JOIN Article a ON a._id = article
                JOIN Article n ON n._id = neighbor ORDER BY lineID
                """) == ["7|8"])
        let context = ObjectContext(store)
        let line = try #require(try context.find(Line.self, 1) as Line?)
        #expect(line.others.map(\.articleID).sorted() == [7, 8] && line.article?.lines.map(\.lineID) == [1])
        #expect(try pending() == [#"'Line'|2|'article'|'{"sku":"C"}'"#])
        #expect(try rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `A payload connects objects by unique attributes, in the context and in the file`() throws {
        try load(Self.articles, Article.mapping)
        let context = ObjectContext(store)
        let lines = try context.map(Self.lines, with: Line.mapping) as [Line]
        #expect(lines[0].article?.articleID == 7 && lines[0].neighbor?.articleID == 8)
        #expect(lines[0].others.map(\.articleID).sorted() == [7, 8] && lines[1].article == nil)
        try context.save()
        try expectConnected()
    }

    @Test func `New objects of a context are found before they are saved`() throws {
        let context = ObjectContext(store)
        let lines = try context.map(Self.lines, with: Line.mapping) as [Line]
        #expect(lines[0].article == nil)
        let articles = try context.map(Self.articles, with: Article.mapping) as [Article]
        #expect(lines[0].article === articles[0] && lines[0].neighbor === articles[1] && lines[0].others.count == 2)
        try context.save()
        try expectConnected()
    }

    @Test func `Connections wait in the file for an attribute`() throws {
        try load(Self.lines, Line.mapping)
        #expect(
            try pending() == [
                #"'Line'|1|'article'|'{"sku":"A"}'"#, #"'Line'|1|'neighbor'|'{"rack":2,"spot":5}'"#,
                #"'Line'|1|'others'|'{"sku":"B"}'"#, #"'Line'|1|'others'|'{"sku":"A"}'"#,
                #"'Line'|2|'article'|'{"sku":"C"}'"#,
            ])
        try load(Self.articles, Article.mapping)
        try expectConnected()
        // A value that an existing object receives.
        try load(#"{"id": 9, "sku": "C"}"#, Article.mapping)
        #expect(try pending().isEmpty)
        #expect(try rows("SELECT articleID FROM Line JOIN Article a ON a._id = article WHERE lineID = 2") == ["9"])
    }

    @Test(arguments: [false, true])
    func `Imports connect by unique attributes, in any order`(isReversed: Bool) async throws {
        if isReversed { _ = try await store.importJSON(Data(Self.lines.utf8), with: Line.mapping) }
        _ = try await store.importJSON(Data(Self.articles.utf8), with: Article.mapping)
        if !isReversed { _ = try await store.importJSON(Data(Self.lines.utf8), with: Line.mapping) }
        try expectConnected()
        let report = try await store.importJSON(Data(#"[{"id": 9, "sku": "C"}]"#.utf8), with: Article.mapping)
        #expect(try pending().isEmpty && report.entities.contains { $0.connected == 1 })
        #expect(try rows("SELECT articleID FROM Line JOIN Article a ON a._id = article WHERE lineID = 2") == ["9"])
    }

    @Test func `The order of unique attributes in a connection does not matter`() async throws {
        _ = try await store.importJSON(Data(Self.lines.utf8), with: Line.swapped)
        #expect(try pending() == [#"'Line'|1|'neighbor'|'{"rack":2,"spot":5}'"#])
        _ = try await store.importJSON(Data(Self.articles.utf8), with: Article.mapping)
        #expect(try pending().isEmpty)
        #expect(try rows("SELECT articleID FROM Line JOIN Article a ON a._id = neighbor") == ["8"])
    }

    @Test func `A line waits again when its article is deleted`() throws {
        try load(Self.articles, Article.mapping)
        try load(#"{"id": 1, "sku": "A"}"#, Line.mapping)
        let context = ObjectContext(store)
        context.delete(try #require(try context.find(Article.self, 7) as Article?))
        try context.save()
        #expect(try pending() == [#"'Line'|1|'article'|'{"sku":"A"}'"#])
        try load(#"{"id": 17, "sku": "A"}"#, Article.mapping)
        #expect(try pending().isEmpty && rows("SELECT articleID FROM Line JOIN Article a ON a._id = article") == ["17"])
    }

    @Test func `An attribute that is not unique is a mistake of the mapping`() {
        #expect {
            try Line.wrong.validate()
        } throws: { error in
            "\(error)".contains(
                "expected a unique attribute of Article; declare `@Stored(.unique) var title`, "
                    + "found title, which several objects can have")
                && "\(error)".contains(#"declare `.unique("sku", "rack")` in `class var indexes`"#)
        }
    }
}
