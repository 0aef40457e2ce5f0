import Foundation
import TestSupport
import Testing

/// Rules of the repository that no compiler checks.
@Suite struct Layout {
    struct SourceFile: CustomTestStringConvertible {
        let path: String
        let lines: [Substring]
        var testDescription: String { path }
    }

    static let sources: [SourceFile] = {
        let folder = resource("Sources")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
            guard let text = try? resourceText("Sources/\(path)") else { return nil }
            return SourceFile(path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }()

    @Test func `the choice of a platform stands in Platform files only`() {
        for file in Self.sources where !file.path.hasSuffix("/Platform.swift") {
            let choices = file.lines.filter { $0.contains("#if canImport") || $0.contains("#if os(") }
            #expect(choices.isEmpty, "\(file.path)")
        }
    }

    @Test func `sources get by with the small Foundation of their Platform file`() {
        for file in Self.sources where !file.path.hasSuffix("/Platform.swift") {
            let imports = file.lines.filter {
                $0.hasPrefix("import Foundation") || $0.hasPrefix("public import Foundation")
            }
            #expect(imports.isEmpty, "\(file.path)")
        }
    }

    @Test func `nothing is left for later`() {
        for file in Self.sources {
            let notes = file.lines.filter { $0.contains("TODO") || $0.contains("FIXME") || $0.contains("fatalError(") }
            #expect(notes.isEmpty, "\(file.path)")
        }
    }

    @Test func `the package has no package dependencies`() throws {
        #expect(!(try resourceText("Package.swift").contains(".package(")))
    }

    @Test(arguments: [
        ".ci/run", "Benchmarks/run", "scripts/demo", "scripts/docs", "scripts/generate-dumps",
        "scripts/prerequisites", "scripts/test",
    ])
    func `a script can be run`(_ path: String) {
        #expect(FileManager.default.isExecutableFile(atPath: resource(path).path))
    }
}
