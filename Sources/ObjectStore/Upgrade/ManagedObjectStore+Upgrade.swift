public import ObjectMapping
import MappingDigests

extension ManagedObjectStore {
    /// Merges a new version of the seed into the file, and keeps what the user has changed.
    ///
    /// ```swift
    /// let report = try await store.upgradeSeed(to: newSeed)
    /// for conflict in report.conflicts { print(conflict) }
    /// ```
    ///
    /// The file was opened as a copy of the earlier seed with ``Options/keepsSeededValues``. Objects are found by their
    /// identity, those of a class without identity by all of their values. Of each attribute and relationship, the value
    /// in the earlier seed is compared with that of the user and that in the new seed: the side that has changed it
    /// wins, and the policy decides if both have. Objects that the user deleted stay deleted. New objects are added. An
    /// object that the new seed no longer has is removed, unless the user has changed it or objects of the user refer to
    /// it.
    ///
    /// The upgrade is one transaction. Contexts see the result at their next merge point. Delete rules, validations and
    /// hooks of classes are not applied. If the file already has the content of the seed, the call returns immediately.
    ///
    /// - Parameters:
    ///   - seed: The new seed, which is verified like a seed that is opened.
    ///   - policy: The handling of values that both sides have changed. Defaults to `.userWins`.
    ///   - isDryRun: Whether the file remains unchanged, for the report only. Defaults to `false`.
    /// - Returns: The numbers of objects, and the conflicts.
    /// - Throws: `StoreError`, of kind `misuse` if the file has no values of an earlier seed, `modelMismatch` if the
    ///   model of the seed cannot be changed to that of the store, `conflict` with the policy `.throwConflict`, and those
    ///   of a seed that cannot be opened.
    @discardableResult public func upgradeSeed(
        to seed: URL, policy: SeedConflictPolicy = .userWins, isDryRun: Bool = false
    ) async throws -> SeedUpgradeReport {
        try await Self.blocking { [self] () throws(StoreError) in
            try upgradeSeed(to: seed, policy, isDryRun)
        }
    }

    private func upgradeSeed(
        to seed: URL, _ policy: SeedConflictPolicy, _ isDryRun: Bool
    ) throws(StoreError) -> SeedUpgradeReport {
        guard let url else {
            throw StoreError(
                .misuse, "a store in memory has no seed that could be upgraded",
                advice: "open a file as a copy of the seed")
        }
        guard !options.isReadOnly else { throw StoreError(.readOnly, "the store was opened for reading only") }
        let checksum = try SeedChecksum(of: seed, options)
        var report = SeedUpgradeReport(entities: entities.map { SeedUpgradeReport.Counts(entity: $0.name) })
        let isKnown = try read { (connection) throws(StoreError) in
            try SeededValues.check(connection.database, url)
            return try checksum.isStored(in: connection.database)
        }
        guard !isKnown else {
            report.isUpToDate = true
            return report
        }
        // A complete copy has the tables and columns of this file.
        var copying = options
        (copying.keepsSeededValues, copying.onModelMismatch) = (false, .refuse)
        let file = try StoreFile(url, copying)
        let staged = StagedDatabase(for: file.path)
        try file.fill(staged, from: seed, model)
        let path = staged.path
        return try write(waits: true) { (connection) throws(StoreError) in
            let database = connection.database
            try database.run("ATTACH ? AS \(SeedUpgrade.schema)", [.text(path)])
            defer { try? database.execute("DETACH \(SeedUpgrade.schema)") }
            var result = report
            do throws(StoreError) {
                try connection.transaction { () throws(StoreError) in
                    // Another process may have been faster.
                    try SeededValues.check(database, url)
                    guard try !checksum.isStored(in: database) else {
                        result.isUpToDate = true
                        return
                    }
                    var upgrade = try SeedUpgrade(self, connection, policy, report)
                    result = try upgrade.run()
                    try checksum.store(in: database)
                    try connection.expireResponses(in: self) { .everything }
                    if isDryRun { throw StoreError(.interrupted, "the upgrade was a dry run") }
                }
            } catch  where isDryRun && error.kind == .interrupted {
                return result
            }
            if !result.isUpToDate { didCommit(by: nil) { .everything } }
            return result
        }
    }
}

/// The digest of a seed, by which an upgrade to the same seed is recognized.
private struct SeedChecksum {
    /// `nil` if the file does not have the whole content.
    private let digest: String?
    private static let key = StoredValue.text("seed.sha256")

    init(of url: URL, _ options: ManagedObjectStore.Options) throws(StoreError) {
        let file = try StoreFile(url, options)
        guard file.size(of: "-wal") == 0,
            let data = try? Data(contentsOf: URL(fileURLWithPath: file.path), options: .mappedIfSafe)
        else {
            digest = nil
            return
        }
        digest = SHA256.hex(of: data)
    }

    func isStored(in database: SQLiteDatabase) throws(StoreError) -> Bool {
        guard let digest else { return false }
        return try database.value(RowMarks.query, [Self.key]) == .text(digest)
    }

    func store(in database: SQLiteDatabase) throws(StoreError) {
        try database.run(
            #"INSERT OR REPLACE INTO "_mappingkit"("key", "value") VALUES(?, ?)"#,
            [Self.key, digest.map { .text($0) } ?? .null])
    }
}

extension SeededValues {
    /// Rejects a file that does not keep the values of its seed.
    fileprivate static func check(_ database: SQLiteDatabase, _ url: URL) throws(StoreError) {
        guard try SeededValues(of: database) == nil else { return }
        throw StoreError(
            .misuse, "'\(url.path)' does not have the original values of its seed, which an upgrade compares",
            advice: "set keepsSeededValues in the options with which the file is first opened as a copy of the seed")
    }
}
