public import ObjectMapping

extension ModelSources {
    /// Writes the files to a folder, all or none.
    ///
    /// The folder is created if necessary.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - replacing: Whether existing files that differ are replaced. Defaults to `false`, which makes them an error.
    /// - Throws: `SeedError` of kind `cannotCreateOutput`. No file is written then.
    public func write(to folder: URL, replacing: Bool = false) throws(SeedError) {
        try write(toPath: folder.path, replacing: replacing)
    }

    /// Like the public method; messages contain the path as specified.
    package func write(toPath folder: String, replacing: Bool) throws(SeedError) {
        try makeFolder(folder)
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        var changed: [(path: OutputPath, text: String)] = []
        var others: [String] = []
        for file in files {
            let path = try OutputPath(prefix + file.name)
            guard FileSystem.allows(F_OK, at: path.path) else {
                changed.append((path, file.text))
                continue
            }
            guard try readBytes(of: path.path) != Array(file.text.utf8) else { continue }
            changed.append((path, file.text))
            others.append(file.name)
        }
        guard others.isEmpty || replacing else {
            throw SeedError(
                .cannotCreateOutput,
                "cannot create \(others.joined(separator: ", ")) in \(folder): \(others.count == 1 ? "it is" : "they are") "
                    + "already there, and may have been edited",
                advice: "Write to another folder, or replace \(others.count == 1 ? "it" : "them") with --force.")
        }
        // Files are moved to their location after all of them are on the disk.
        var staged: [OutputFile] = []
        for (path, text) in changed {
            let file = try OutputFile(for: path)
            try file.write(text.utf8)
            try file.synchronize()
            staged.append(file)
        }
        try checkInterruption()
        for file in staged { try file.commit() }
    }

    private func makeFolder(_ folder: String) throws(SeedError) {
        guard !folder.utf8.contains(0) else {
            throw SeedError(.cannotCreateOutput, "the name of a folder cannot contain a NUL character")
        }
        guard !FileSystem.makeFolder(folder, mode: 0o777) else { return }
        let code = errno
        guard code == EEXIST, let status = FileSystem.status(at: folder) else {
            throw .system(.cannotCreateOutput, "cannot create", folder, code: code)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw SeedError(
                .cannotCreateOutput, "cannot create \(folder): it is not a folder",
                advice: "Specify an output folder.")
        }
    }
}
