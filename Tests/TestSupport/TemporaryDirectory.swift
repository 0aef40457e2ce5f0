public import Foundation

/// A temporary folder; it is removed with its last reference.
///
/// ```swift
/// let folder = try TemporaryDirectory()
/// let dump = try folder.write("[]", to: "tasks.json")
/// ```
public final class TemporaryDirectory: Sendable {
    /// The folder; no symbolic link on the way to it.
    public let url: URL

    /// Makes an empty folder.
    public init() throws {
        let name = "mappingkit-" + UUID().uuidString
        let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        self.url = url
    }

    deinit {
        // A test may have taken the right to write away.
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
        try? FileManager.default.removeItem(at: url)
    }

    /// The folder's path.
    public var path: String { url.path }

    /// Where a file of the folder is or would be.
    public func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Writes a file, with the folders on the way to it, and says where it is.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> URL { try write(Data(text.utf8), to: name) }

    /// Writes a file, with the folders on the way to it, and says where it is.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> URL {
        let url = file(name)
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: url)
        return url
    }

    /// The text of a file.
    public func text(of name: String) throws -> String { String(decoding: try data(of: name), as: UTF8.self) }

    /// The bytes of a file.
    public func data(of name: String) throws -> Data { try Data(contentsOf: file(name)) }

    /// Whether a file or folder of this name is there.
    public func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }

    /// The names in the folder, hidden ones too, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
