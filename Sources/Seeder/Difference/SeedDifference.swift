package import ObjectMapping
package import ObjectStore

/// The differences between two databases: of their models, and of their rows by identity.
///
/// Rows of both files are read in the order of their identities and compared like the two inputs of a merge, so that
/// memory does not grow with the files. Row numbers do not count: relationships are compared by the identity of their
/// targets. Rows without an identity are equal if all of their values are.
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
        /// The values that differ, or all values of a row that is in one file only; nil for a row that was added.
        package let old: JSONObject?
        /// The same of the second file; nil for a row that was removed.
        package let new: JSONObject?
    }

    /// How many rows of an entity differ.
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
    /// What differs between the models, a sentence each.
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

    /// Compares the rows of the entities that both models have.
    ///
    /// - Parameter body: Receives each row that differs, by entity and in the order of the identities.
    /// - Returns: The counts of the entities, in the order of the second model.
    package func compareRows(_ body: (Row) throws -> Void) throws -> [Counts] {
        var counts: [Counts] = []
        for entity in new.model.entities where old.model.entity(named: entity.name) != nil {
            counts.append(try compare(entity.name, body))
        }
        // The rows of an entity that one file lacks are not listed: the difference of the models says it.
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

/// The rows of a statement, one at a time.
private struct RowCursor {
    private let statement: SQLiteStatement
    private let count: Int
    /// The current row; nil at the end.
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
    /// The error of a database that was opened by a path: a URL has made the path absolute.
    package init(_ error: StoreError, _ path: String) {
        let message = error.message.replacing(URL(filePath: path).path, with: path)
        self.init(error.kind == .inputOutput ? .inputOutput : .badData, message, advice: error.advice)
    }
}
