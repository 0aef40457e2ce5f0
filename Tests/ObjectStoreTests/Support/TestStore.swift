import Foundation
import ObjectMapping
import TestSupport

@testable import ObjectStore

/// Files that a test builds, in a temporary folder.
struct TestStore {
    let model: ObjectModel
    private let directory: TemporaryDirectory

    init(_ entities: EntityDescription...) throws {
        model = try ObjectModel(entities: entities)
        directory = try TemporaryDirectory()
    }

    func url(_ name: String = "test.sqlite") -> URL { directory.file(name) }

    /// Writes elements and finishes the file.
    @discardableResult
    func build(
        _ objects: [TestObject], name: String = "test.sqlite", blind: [String] = [], updating: Bool = false,
        mapSize: Int = 4 << 20
    ) throws -> StoreSummary {
        let store = try RowStore(
            at: url(name).path, model: model, blind: Set(blind.compactMap(model.index)), updating: updating,
            mapSize: mapSize)
        for object in objects { try store.insert(object) }
        return try store.finish()
    }

    func seed(_ name: String = "test.sqlite") throws -> SeedDatabase { try SeedDatabase(at: url(name)) }

    /// The rows of a query, one per line, with bars between the values.
    func rows(_ sql: String, name: String = "test.sqlite") throws -> [String] {
        try seed(name).rows(sql: sql).map { $0.values.map(\.description).joined(separator: "|") }
    }

    /// The complete content of the file, tables first, then indexes in any order; damage if there is any.
    func dump(_ name: String = "test.sqlite") throws -> [String] {
        let seed = try seed(name)
        var lines = try seed.damages()
        for row in try seed.rows(sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'table'") {
            lines.append(row.values[1].text ?? "")
            lines += try rows("SELECT * FROM \(Schema.quoted(row.values[0].text ?? ""))", name: name)
        }
        lines += try rows(
            "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name", name: name)
        return lines
    }
}
