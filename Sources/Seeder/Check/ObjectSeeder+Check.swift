extension ObjectSeeder {
    /// Reads, converts and connects all elements as `finish()` does, and tells what it finds; nothing is written.
    ///
    /// The rows go to a nameless file among the system's temporary ones, as large as the database would be.
    ///
    /// - Parameter limit: How many issues, and how many repeated keys, are told one by one.
    /// - Returns: What a build would store and leave out; what is wrong with the dumps is in it, and not thrown.
    /// - Throws: `SeedError` if a dump is missing, or the check was cancelled.
    public func check(limit: Int = 100) throws(SeedError) -> SeedCheck {
        try CheckRun(self, entities: rowEntities, limit: max(limit, 0)).run()
    }

    /// Checks a manifest and its dumps; nothing is written.
    ///
    /// - Parameters:
    ///   - manifest: The manifest's file.
    ///   - options: ``SeedOptions/base`` and ``SeedOptions/progress`` count.
    ///   - limit: How many issues, and how many repeated keys, are told one by one.
    /// - Returns: What a build would store and leave out; what is wrong with the dumps is in it, and not thrown.
    /// - Throws: `SeedError` with all that is wrong with the manifest, or of kind `inputMissing` if a file is missing.
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
