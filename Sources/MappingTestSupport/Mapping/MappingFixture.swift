public import ObjectMapping

/// A JSON file that is stored next to a test.
///
/// ```swift
/// let fixture = try MappingFixture(named: "user.json")
/// let user = try User.mapping.map(fixture)
/// ```
public struct MappingFixture: Sendable {
    /// The URL of the file.
    public let file: URL
    /// The bytes of the file.
    public let data: Data

    /// Reads a file in the folder of the calling test, or in its subfolder `Fixtures`.
    ///
    /// - Parameters:
    ///   - name: The file name. The extension defaults to `.json`.
    ///   - test: The file of the test. Defaults to the calling file.
    /// - Throws: `FixtureError` if the file does not exist or cannot be read.
    public init(named name: String, beside test: String = #filePath) throws(FixtureError) {
        let folder = URL(fileURLWithPath: test).deletingLastPathComponent()
        try self.init(name, folders: [folder, folder.appendingPathComponent("Fixtures")])
    }

    /// Reads a file in a folder, such as the folder of a bundle's resources.
    ///
    /// ```swift
    /// try MappingFixture(named: "user.json", in: Bundle.module.resourceURL)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The file name. The extension defaults to `.json`.
    ///   - folder: The folder of the file. `nil` throws an error.
    /// - Throws: `FixtureError` if the file does not exist or cannot be read.
    public init(named name: String, in folder: URL?) throws(FixtureError) {
        try self.init(name, folders: folder.map { [$0] } ?? [])
    }

    private init(_ name: String, folders: [URL]) throws(FixtureError) {
        let name = name.contains(".") ? name : name + ".json"
        let files = folders.map { $0.appendingPathComponent(name) }
        let there = files.first { FileManager.default.fileExists(atPath: $0.path) }
        guard let first = there ?? files.first else {
            throw FixtureError(file: URL(fileURLWithPath: name), cause: "the folder is nil")
        }
        guard there != nil else {
            let others = files.dropFirst().map(\.path).joined(separator: ", ")
            throw FixtureError(
                file: first, cause: others.isEmpty ? "file not found" : "file not found; also searched: \(others)")
        }
        file = first
        do {
            data = try Data(contentsOf: first)
        } catch {
            throw FixtureError(file: first, cause: "the file cannot be read: \(error)")
        }
    }
}
