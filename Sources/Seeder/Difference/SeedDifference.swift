package import ObjectMapping
package import ObjectStore

/// The differences between two databases: of their models, and of their rows by identity.
///
/// The rows of both files are read in the order of their identities and compared like the inputs of a merge, so that
/// memory is bounded. Row numbers are ignored: relationships are compared by the identity of their targets. Rows
/// without an identity are equal if all of their values are.
package struct SeedDifference {
    package enum Change: String, Sendable {
        case added, removed, changed
    }

    /// A row that is not the same in both files.
    package struct Row: Sendable {
        package let entity: String
        package let change: Change
        /// The attributes of the identity; empty for a row without one.
        package let identity: JSONObject
        /// The values that differ, or all values of a row that is only in one file; `nil` for a row that was added.
        package let old: JSONObject?
        /// The values in the second file; `nil` for a row that was removed.
        package let new: JSONObject?
    }

    /// The number of different rows of an entity.
    package struct Counts: Sendable {
        package let entity: String
        package var added = 0
        package var removed = 0
        package var changed = 0
        package var unchanged = 0

        package var isEqual: Bool { added + removed + changed == 0 }
    }

    private let old: SeedDatabase
    private let new: SeedDatabase
    /// The differences between the models, one sentence each.
    package let modelDifferences: [String]

    /// Opens two databases.
    ///
    /// - Throws: `SeedError` of kind `inputMissing` if a file cannot be read, `badData` if it is not a seed database.
    package init(from oldPath: String, to newPath: String) throws(SeedError) {
        old = try Self.open(oldPath)
        new = try Self.open(newPath)
        modelDifferences = ModelDifference(from: old.model, oldPath, to: new.model, newPath).sentences
    }

    private static func open(_ path: String) throws(SeedError) -> SeedDatabase {
        guard try InputKind(of: path, name: path) == .file else {
            throw SeedError(.inputMissing, "cannot read \(path): it is a pipe")
        }
        do {
            return try SeedDatabase(at: URL(filePath: path))
        } catch {
            throw SeedError(error, path)
        }
    }

    /// Compares the rows of the entities in both models.
    ///
    /// - Parameter body: Receives each row that differs, by entity and in the order of the identities.
    /// - Returns: The counts of the entities, in the order of the second model.
    package func compareRows(_ body: (Row) throws -> Void) throws -> [Counts] {
        var counts: [Counts] = []
        for entity in new.model.entities where old.model.entity(named: entity.name) != nil {
            counts.append(try compare(entity.name, body))
        }
        // The rows of an entity that is missing in one file are not listed: the difference of the models includes it.
        return counts
    }

    private func compare(_ entity: String, _ body: (Row) throws -> Void) throws -> Counts {
        var counts = Counts(entity: entity)
        guard let compared = ComparedEntity(entity, old.model, new.model) else { return counts }
        for selection in compared.selections {
            var before = try RowCursor(try old.statement(selection.sql(compared.oldSide)))
            var after = try RowCursor(try new.statement(selection.sql(compared.newSide)))
            while before.values != nil || after.values != nil {
                switch compared.order(before.values, after.values, keys: selection.keys) {
                case .ascending:
                    counts.removed += 1
                    try body(compared.row(.removed, before.values, nil))
                    try before.advance()
                case .descending:
                    counts.added += 1
                    try body(compared.row(.added, nil, after.values))
                    try after.advance()
                case .same:
                    if before.values == after.values {
                        counts.unchanged += 1
                    } else {
                        counts.changed += 1
                        try body(compared.row(.changed, before.values, after.values))
                    }
                    try before.advance()
                    try after.advance()
                }
            }
        }
        return counts
    }
}

/// Reads the rows of a statement one at a time.
private struct RowCursor {
    private let statement: SQLiteStatement
    private let count: Int
    /// The current row; `nil` at the end.
    private(set) var values: [StoredValue]?

    init(_ statement: SQLiteStatement) throws(StoreError) {
        self.statement = statement
        count = statement.columnNames.count
        try advance()
    }

    mutating func advance() throws(StoreError) {
        values = try statement.step() ? (0..<count).map { statement.value(at: $0) } : nil
    }
}

extension SeedError {
    /// The error of a database with the path as specified: a URL makes it absolute.
    package init(_ error: StoreError, _ path: String) {
        let message = error.message.replacing(URL(filePath: path).path, with: path)
        self.init(error.kind == .inputOutput ? .inputOutput : .badData, message, advice: error.advice)
    }
}
