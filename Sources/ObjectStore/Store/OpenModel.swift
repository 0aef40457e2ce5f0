/// The model of a file when a store opened it, to detect that another process has migrated the file.
final class OpenModel: Sendable {
    private static let selection = #"SELECT "value" FROM "_mappingkit" WHERE "key" = 'hash'"#

    private let model: ObjectModel
    private let hash: StoredValue?
    private let path: String

    init(_ model: ObjectModel, of database: SQLiteDatabase, path: String) throws(StoreError) {
        self.model = model
        self.path = path
        hash = try database.value(Self.selection)
    }

    /// Rejects a file in which the objects of the store cannot be stored any more.
    func check(_ connection: StoreConnection) throws(StoreError) {
        let database = connection.database
        guard try database.value(Self.selection) != hash else { return }
        let difference = ModelDifference(from: try FileHeader.model(of: database, path: path), to: model)
        guard !difference.isCompatible else { return }
        throw StoreError(
            .modelMismatch,
            "'\(path)' was migrated to another model while the store was open: \(difference.text)",
            advice: "close the store, and open the file with the model of the program that migrated it")
    }
}
