import Foundation
import Seeder
import TestSupport

/// A folder with a manifest, dumps, and a build of them.
final class SeedFolder {
    let folder: TemporaryDirectory

    /// Files by name; `seed.json` is the manifest.
    init(_ files: [String: String] = [:]) throws {
        folder = try TemporaryDirectory()
        for (name, text) in files { try folder.write(text, to: name) }
    }

    /// The path of the database.
    var output: URL { folder.file("out.sqlite") }

    /// Runs `seed-db` in the folder.
    func run(_ arguments: String..., input: String = "") throws -> ProcessResult {
        try runExecutable(named: "seed-db", arguments: arguments, input: Data(input.utf8), directory: folder.url)
    }

    /// Builds `out.sqlite` from `seed.json` through the library.
    @discardableResult
    func build(_ change: (inout SeedOptions) -> Void = { _ in }) throws -> SeedReport {
        var options = SeedOptions()
        change(&options)
        return try ObjectSeeder(manifest: folder.file("seed.json"), output: output, options: options).finish()
    }

    /// The lines of a build's error, without the folder's path.
    func buildError(_ change: (inout SeedOptions) -> Void = { _ in }) throws -> (SeedError.Kind, [String])? {
        do {
            try build(change)
            return nil
        } catch let error as SeedError {
            let text = error.description.replacingOccurrences(of: folder.path + "/", with: "")
            return (error.kind, text.split(separator: "\n").map(String.init))
        }
    }

    /// What `seedText` says of the database.
    var text: String { get throws { try seedText(output) } }

    /// The rows of a query.
    func rows(_ sql: String) throws -> [String] { try SeederTests.rows(sql, in: output) }
}
