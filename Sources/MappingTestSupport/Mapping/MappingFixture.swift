public import ObjectMapping

/// A file of JSON that lies beside a test, as it is.
///
/// ```swift
/// let fixture = try MappingFixture(named: "user.json")
/// let user = try User.mapping.map(fixture)
/// ```
public struct MappingFixture: Sendable {
    /// The file.
    public let file: URL
    /// Its bytes.
    public let data: Data

    /// Reads a file in the folder of the test that calls this, or in the folder `Fixtures` there.
    ///
    /// - Parameters:
    ///   - name: The file's name; `.json` is put behind one that has no extension.
    ///   - test: The file of the test; the one that calls by default.
    /// - Throws: `FixtureError` if there is no such file, or it cannot be read.
    public init(named name: String, beside test: String = #filePath) throws(FixtureError) {
        let folder = URL(fileURLWithPath: test).deletingLastPathComponent()
        try self.init(name, folders: [folder, folder.appendingPathComponent("Fixtures")])
    }

    /// Reads a file in a folder, such as that of a bundle's resources.
    ///
    /// ```swift
    /// try MappingFixture(named: "user.json", in: Bundle.module.resourceURL)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The file's name; `.json` is put behind one that has no extension.
    ///   - folder: Where the file is; nil throws.
    /// - Throws: `FixtureError` if there is no such file, or it cannot be read.
    public init(named name: String, in folder: URL?) throws(FixtureError) {
        try self.init(name, folders: folder.map { [$0] } ?? [])
    }

    private init(_ name: String, folders: [URL]) throws(FixtureError) {
        let name = name.contains(".") ? name : name + ".json"
        let files = folders.map { $0.appendingPathComponent(name) }
        let there = files.first { FileManager.default.fileExists(atPath: $0.path) }
        guard let first = there ?? files.first else {
            throw FixtureError(file: URL(fileURLWithPath: name), cause: "there is no folder to look for it in")
        }
        guard there != nil else {
            let others = files.dropFirst().map(\.path).joined(separator: ", ")
            throw FixtureError(
                file: first, cause: others.isEmpty ? "it is not there" : "it is not there, nor is \(others)")
        }
        file = first
        do {
            data = try Data(contentsOf: first)
        } catch {
            throw FixtureError(file: first, cause: "it cannot be read: \(error)")
        }
    }
}
