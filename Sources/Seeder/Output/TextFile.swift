/// Writes a text file: a report or a manifest.
package enum TextFile {
    /// Returns the location of a text; `nil` for a device or pipe.
    ///
    /// - Throws: `SeedError` if it cannot be written.
    static func place(_ path: String) throws(SeedError) -> OutputPath? {
        isSpecial(path) ? nil : try OutputPath(path)
    }

    /// Writes a text atomically; it is written directly to a device or pipe.
    package static func write(_ text: String, to path: String) throws(SeedError) {
        let text = Array(text.utf8)
        guard isSpecial(path) else {
            let file = try OutputFile(for: OutputPath(path))
            try file.write(text)
            try file.synchronize()
            return try file.commit()
        }
        let descriptor = Descriptor(FileSystem.open(path, O_WRONLY | O_CLOEXEC))
        guard descriptor.isOpen else { throw .system(.cannotCreateOutput, "cannot create", path) }
        try descriptor.writeAll(text, name: path)
    }

    private static func isSpecial(_ path: String) -> Bool {
        guard let status = FileSystem.status(at: path) else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}
