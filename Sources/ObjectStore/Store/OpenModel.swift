import ObjectMapping
import Synchronization

/// The model of a file when a store opened it, to detect that another process has migrated the file, or has built its
/// search indexes for other attributes.
final class OpenModel: FileCheck {
    /// Runs after each commit of others.
    static let selection = #"SELECT "value" FROM "_mappingkit" WHERE "key" = 'hash'"#

    private let model: ObjectModel
    private let searches: [SearchIndex]
    private let path: String
    private let isReadOnly: Bool
    /// The hashes of models with which the objects of the store can be stored.
    private let hashes: Mutex<Set<String?>>

    /// - Parameter declared: The model of the classes; `nil` for that of the file.
    init(
        _ model: ObjectModel, declared: ObjectModel?, of connection: StoreConnection, path: String, isReadOnly: Bool
    ) throws(StoreError) {
        self.model = model
        searches = SearchIndex.all(of: declared ?? model)
        self.path = path
        self.isReadOnly = isReadOnly
        hashes = Mutex([try Self.hash(connection, path)])
    }

    private static func hash(_ connection: StoreConnection, _ path: String) throws(StoreError) -> String? {
        try FileHeader.readingMetadata(of: path) { () throws(StoreError) in
            let statement = try connection.cached(selection)
            defer { statement.reset() }
            return try statement.step() ? statement.value(at: 0).text : nil
        }
    }

    func check(_ connection: StoreConnection) throws(StoreError) {
        let hash = try Self.hash(connection, path)
        guard !hashes.withLock({ $0.contains(hash) }) else { return }
        let difference = ModelDifference(from: try FileHeader.model(of: connection.database, path: path), to: model)
        guard !difference.isCompatible else {
            _ = hashes.withLock { $0.insert(hash) }
            return
        }
        throw StoreError(
            .modelMismatch,
            "'\(path)' was migrated to another model while the store was open: \(difference.text)",
            advice: "close the store, and open the file with the model of the program that migrated it")
    }

    func unusableSearches(in database: SQLiteDatabase) throws(StoreError) -> [(match: String, error: StoreError)] {
        var unusable: [(String, StoreError)] = []
        for index in searches {
            let columns = try index.columns(in: database)
            guard Set(columns) != Set(index.attributes) else { continue }
            let advice =
                isReadOnly
                ? "open the file for writing once, which builds the index"
                : "another version of the program has changed it: close the store and open it again, which builds the index "
                    + "of this one"
            let found = columns.map { "'\($0)'" }.joined(separator: ", ")
            let expected = index.attributes.map { "'\($0)'" }.joined(separator: ", ")
            unusable.append(
                (
                    index.match,
                    StoreError(
                        .misuse,
                        columns.isEmpty
                            ? "'\(path)' has no search index of '\(index.name)'"
                            : "the search index of '\(index.name)' in '\(path)' has \(found), expected \(expected)",
                        advice: advice, entity: index.name)
                ))
        }
        return unusable
    }
}
