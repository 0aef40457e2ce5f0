extension ObjectSeeder {
    /// Reads, converts and connects all elements like `finish()`, without writing a database.
    ///
    /// The rows are written to an unnamed temporary file, which is as large as the database would be.
    ///
    /// - Parameter limit: The maximum number of issues, and of duplicate keys, in the result. Defaults to `100`.
    /// - Returns: What a build would store and skip. Problems of the dumps are in the result, not thrown.
    /// - Throws: `SeedError` if a dump is missing, or if the check was cancelled.
    public func check(limit: Int = 100) throws(SeedError) -> SeedCheck {
        try CheckRun(self, entities: rowEntities, limit: max(limit, 0)).run()
    }

    /// Checks a manifest and its dumps without writing a database.
    ///
    /// - Parameters:
    ///   - manifest: The manifest's file.
    ///   - options: ``SeedOptions/base`` and ``SeedOptions/progress`` are used.
    ///   - limit: The maximum number of issues, and of duplicate keys, in the result. Defaults to `100`.
    /// - Returns: What a build would store and skip. Problems of the dumps are in the result, not thrown.
    /// - Throws: `SeedError` with all problems of the manifest, or of kind `inputMissing` if a file is missing.
    public static func check(
        manifest: URL, options: SeedOptions = SeedOptions(), limit: Int = 100
    ) throws(SeedError) -> SeedCheck {
        try check(manifestPath: manifest.path, options: options, limit: limit)
    }

    /// Like the public function; messages contain the path as specified.
    package static func check(
        manifestPath path: String, options: SeedOptions = SeedOptions(), limit: Int = 100
    ) throws(SeedError) -> SeedCheck {
        try ObjectSeeder(manifestPath: path, outputPath: "", options: options).check(limit: limit)
    }
}
