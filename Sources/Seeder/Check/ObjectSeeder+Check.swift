extension ObjectSeeder {
    /// Reads, converts and connects all elements as `finish()` does, and tells what it finds; nothing is written.
    ///
    /// The rows go to a nameless file among the system's temporary ones, as large as the database would be.
    ///
    /// - Parameter limit: How many issues are told one by one.
    /// - Throws: `SeedError` if a dump is missing, or the check was cancelled.
    public func check(limit: Int = 100) throws(SeedError) -> SeedCheck {
        try CheckRun(self, entities: rowEntities, limit: max(limit, 0)).run()
    }

    /// Checks a manifest and its dumps.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - options: The folder of the dumps counts, and who is told of the progress.
    ///   - limit: How many issues are told one by one.
    /// - Throws: `SeedError`: all that is wrong with the manifest, or a dump is missing.
    public static func check(
        manifest: URL, options: SeedOptions = SeedOptions(), limit: Int = 100
    ) throws(SeedError) -> SeedCheck {
        try check(manifestPath: manifest.path, options: options, limit: limit)
    }

    /// As the public function; messages show the path as it is given.
    package static func check(
        manifestPath path: String, options: SeedOptions = SeedOptions(), limit: Int = 100
    ) throws(SeedError) -> SeedCheck {
        try ObjectSeeder(manifestPath: path, outputPath: "", options: options).check(limit: limit)
    }
}
