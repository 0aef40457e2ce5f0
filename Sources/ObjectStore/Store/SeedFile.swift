import MappingDigests
import ObjectMapping

/// A database that new files are copies of.
struct SeedFile {
    private let file: StoreFile
    private let options: ManagedObjectStore.Options

    init(_ url: URL, _ options: ManagedObjectStore.Options) throws(StoreError) {
        file = try StoreFile(url, options)
        self.options = options
    }

    /// Verifies the seed and opens it for reading, so that others do not change it until the connection is closed.
    func open(
        check: (SQLiteDatabase, String) throws(StoreError) -> Void
    ) throws(StoreError) -> StoreConnection {
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw StoreError(.cannotOpen, "the seed '\(file.path)' does not exist")
        }
        guard try !file.isMissing() else { throw FileHeader.empty(file.path) }
        try verifyChecksum()
        let connection = try file.openReader()
        try connection.run("BEGIN")
        try check(connection.database, file.path)
        return connection
    }

    private func verifyChecksum() throws(StoreError) {
        let sumFile = URL(fileURLWithPath: file.path + ".sha256")
        guard let text = try? String(contentsOf: sumFile, encoding: .utf8) else {
            guard !options.requiresChecksum else {
                throw StoreError(
                    .corrupt, "the seed '\(file.path)' has no checksum file '\(sumFile.lastPathComponent)'")
            }
            return
        }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: file.path), options: .mappedIfSafe) else {
            throw StoreError(
                .cannotOpen, "cannot read the seed '\(file.path)'", advice: "check the permissions of the file")
        }
        let expected = text.prefix { $0 != " " && $0 != "\n" }.lowercased()
        let found = SHA256.hex(of: data)
        guard expected == found else {
            throw StoreError(
                .corrupt,
                "the seed '\(file.path)' is damaged: its SHA-256 is \(found), but \(sumFile.lastPathComponent) "
                    + "has \(expected)", advice: "build or copy the seed again")
        }
        guard file.size(of: "-wal") == 0 else {
            throw StoreError(
                .corrupt,
                "the seed '\(file.path)' has changes in its '-wal' file, which \(sumFile.lastPathComponent) does not "
                    + "include",
                advice: "call checkpoint() or backup(to:) of the store that writes it, and add a new checksum")
        }
    }
}
