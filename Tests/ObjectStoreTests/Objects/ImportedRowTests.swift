import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private final class PlainShelf: ManagedObject, Mappable {
    @Stored(.identity) var shelfID = 0
    @ToMany(inverse: \Volume.shelf) var volumes: [Volume]

    static let mapping = Mapping(PlainShelf.self) {
        Attribute("id", \.shelfID)
        Relationship("volumes", \.volumes)
    }
}

private final class Volume: ManagedObject, Mappable {
    @Stored(.identity) var volumeID = 0
    @Stored var title = ""
    @Stored var updatedAt: Date? = nil
    @ToOne var shelf: PlainShelf?
    @ToOne var writer: Writer?
    @ToOne(isRequired: true) var press: Press?

    static let mapping = Mapping(Volume.self) {
        Attribute("id", \.volumeID)
        Attribute("title", \.title)
        Attribute("updated", \.updatedAt)
        Relationship("writer", \.writer)
        Relationship("press", \.press)
    }
    .modified(by: \.updatedAt)
}

private final class Writer: ManagedObject, Mappable {
    @Stored(.identity) var writerID = 0
    @ToMany(inverse: \Volume.writer) var volumes: [Volume]

    static let mapping = Mapping(Writer.self) { Attribute("id", \.writerID) }
}

private final class Press: ManagedObject, Mappable {
    @Stored var city = ""

    static let mapping = Mapping(Press.self) { Attribute("city", \.city) }
}

/// Rows of an element are numbered before the first one is written.
@Suite struct ImportedRowTests {
    private let store: ManagedObjectStore
    private let log: StatementLog

    init() throws {
        store = try ManagedObjectStore(
            inMemory: ObjectModel(PlainShelf.self, Volume.self, Writer.self, Press.self))
        log = StatementLog(store)
    }

    private func load(_ text: String) async throws -> (report: ImportReport, statements: [String]) {
        _ = log.take()
        let report = try await store.importJSON(Data(text.utf8), with: PlainShelf.mapping)
        return (report, log.take())
    }

    private func volumes() throws -> [String] {
        try store.rows(sql: #"SELECT "_id", "title", "shelf", "writer", "press" FROM "Volume" ORDER BY 1"#).map {
            $0.values.map { $0.text ?? $0.description }.joined(separator: "|")
        }
    }

    private static let new = """
        [{"id":1,"volumes":[{"id":5,"title":"a","writer":{"id":8},"press":{"city":"x"}},
        {"id":6,"title":"b","writer":{"id":9},"press":{"city":"y"}}]}]
        """

    @Test func `a new object costs one insertion, with its nested objects and its parent`() async throws {
        let (report, statements) = try await load(Self.new)
        #expect(report.inserted == 7 && report.updated == 0)
        #expect(statements.count { $0.hasPrefix("INSERT INTO \"") } == 7)
        #expect(!statements.contains { $0.hasPrefix("UPDATE") })
        #expect(try volumes() == ["1|a|1|1|1", "2|b|1|2|2"])
    }

    @Test func `a stored object with another nested object costs one update`() async throws {
        _ = try await load(Self.new)
        let (report, statements) = try await load(
            #"[{"id":1,"volumes":[{"id":5,"title":"c","writer":{"id":9}},{"id":6,"writer":null}]}]"#)
        #expect(
            report["Volume"]?.updated == 2 && report["PlainShelf"]?.unchanged == 1 && report["Writer"]?.unchanged == 1)
        #expect(statements.count { $0.hasPrefix("UPDATE \"Volume\"") } == 2)
        #expect(try volumes() == ["1|c|1|2|1", "2|b|1|NULL|2"])
    }

    @Test func `a new object in a stored list changes the owner, and removed ones leave it`() async throws {
        _ = try await load(Self.new)
        let (report, _) = try await load(#"[{"id":1,"volumes":[{"id":7,"press":{"city":"z"}},{"id":6}]}]"#)
        #expect(report["PlainShelf"]?.updated == 1 && report["Volume"]?.inserted == 1)
        #expect(try volumes() == ["1|a|NULL|1|1", "2|b|1|2|2", "3||1|NULL|3"])
    }

    @Test func `an object that occurs twice in an element has the values of its last occurrence`() async throws {
        let (report, _) = try await load(
            """
            [{"id":1,"volumes":[{"id":5,"title":"a","writer":{"id":8},"press":{"city":"x"}},
            {"id":5,"title":"b","writer":{"id":9}}]}]
            """)
        #expect(report["Volume"]?.inserted == 1 && report["Volume"]?.updated == 1)
        #expect(try volumes() == ["1|b|1|2|1"])
    }

    @Test func `an outdated object keeps its nested object`() async throws {
        _ = try await load(
            #"[{"id":1,"volumes":[{"id":5,"updated":"2026-01-02T00:00:00Z","writer":{"id":8},"press":{"city":"x"}}]}]"#)
        _ = try await load(
            #"[{"id":1,"volumes":[{"id":5,"updated":"2026-01-01T00:00:00Z","writer":{"id":9}}]}]"#)
        #expect(try volumes() == ["1||1|1|1"])
    }
}
