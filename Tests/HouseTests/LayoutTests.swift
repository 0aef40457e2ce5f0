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

    @Test func `conditions of platforms are in Platform files, or around a whole file, only`() {
        for file in Self.sources where !file.path.hasSuffix("/Platform.swift") {
            let isWhole = file.lines.first?.hasPrefix("#if") == true && file.lines.last { !$0.isEmpty } == "#endif"
            let choices = file.lines.dropFirst(isWhole ? 1 : 0).filter {
                $0.contains("#if canImport") || $0.contains("#if os(")
            }
            #expect(choices.isEmpty, "\(file.path)")
        }
    }

    @Test func `sources import Foundation through their Platform file only`() {
        for file in Self.sources where !file.path.hasSuffix("/Platform.swift") {
            let imports = file.lines.filter {
                $0.hasPrefix("import Foundation") || $0.hasPrefix("public import Foundation")
            }
            #expect(imports.isEmpty, "\(file.path)")
        }
    }

    @Test func `sources have no TODO`() {
        for file in Self.sources {
            let notes = file.lines.filter { $0.contains("TODO") || $0.contains("FIXME") || $0.contains("fatalError(") }
            #expect(notes.isEmpty, "\(file.path)")
        }
    }

    @Test func `types of the store and the seeder have at most 15 stored properties`() {
        let sizes = Self.sources.filter { $0.path.hasPrefix("ObjectStore/") || $0.path.hasPrefix("Seeder/") }
            .flatMap(\.sizes)
        for (type, count) in sizes { #expect(count <= 15, "\(type)") }
        // The search finds properties.
        #expect(sizes.contains { $0.type == "ContextCore" && $0.count > 10 })
    }

    @Test func `the package has no package dependencies`() throws {
        #expect(!(try resourceText("Package.swift").contains(".package(")))
    }

    @Test func `files that CONTRIBUTING names exist`() throws {
        let files = Set(Self.sources.map { URL(filePath: $0.path).lastPathComponent })
        for path in try namedPaths(in: "CONTRIBUTING.md") {
            let folders = ["", "Sources/ObjectMapping/", "Tests/ObjectMappingTests/"]
            let stands = folders.contains { FileManager.default.fileExists(atPath: resource($0 + path).path) }
            #expect(stands || files.contains(path) || isTest(path), "\(path)")
        }
    }

    /// Paths and names of files in the inline code of a page, except generated ones.
    private func namedPaths(in page: String) throws -> [String] {
        let blocks = try resourceText(page).split(separator: "```", omittingEmptySubsequences: false)
        let texts = stride(from: 0, to: blocks.count, by: 2).map { blocks[$0] }
        let words = texts.flatMap { text in
            let parts = text.split(separator: "`", omittingEmptySubsequences: false)
            return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
        }
        let paths = words.filter { word in
            !word.contains(where: \.isWhitespace) && (word.contains("/") || word.hasSuffix(".swift"))
                && !word.hasPrefix("/") && !word.hasPrefix(".build/")
        }
        #expect(paths.count > 80)
        return paths.flatMap { path in
            guard let open = path.firstIndex(of: "{"), path.hasSuffix("}") else { return [path] }
            return path[open...].dropFirst().dropLast().split(separator: ",").map { String(path[..<open] + $0) }
        }
    }

    /// Whether a test has a name.
    private func isTest(_ name: String) -> Bool {
        let tests = FileManager.default.enumerator(atPath: resource("Tests").path)
        return tests?.contains { ($0 as? String)?.hasSuffix("/" + name) == true } == true
    }

    /// All files in the folders of scripts except data.
    static let scripts: [String] = {
        let names = [".ci", "scripts"].flatMap { folder in
            (try? FileManager.default.contentsOfDirectory(atPath: resource(folder).path))?.map { folder + "/" + $0 }
                ?? []
        }
        return (names.filter { !$0.hasSuffix(".txt") } + ["Benchmarks/run"]).sorted()
    }()

    @Test(arguments: scripts) func `scripts are executable`(_ path: String) {
        #expect(FileManager.default.isExecutableFile(atPath: resource(path).path))
    }
}

extension Layout.SourceFile {
    /// The structs, classes and actors of the file, each with the number of its stored properties.
    var sizes: [(type: String, count: Int)] {
        var found: [(type: String, count: Int)] = []
        // The types that surround a line, by indentation.
        var open: [(indent: Int, place: Int)] = []
        for line in lines where !line.allSatisfy(\.isWhitespace) {
            let indent = line.prefix { $0 == " " }.count
            open.removeAll { $0.indent >= indent }
            let words = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex).split(separator: " ")
            let isProperty = words.contains("let") || words.contains("var")
            if !isProperty, let kind = words.firstIndex(where: { ["struct", "class", "actor"].contains($0) }),
                kind + 1 < words.count, !words.contains("func")
            {
                found.append((String(words[kind + 1].prefix { $0.isLetter || $0.isNumber }), 0))
                open.append((indent, found.count - 1))
            } else if isProperty, !words.contains("static"), let type = open.last, indent == type.indent + 4 {
                // A computed property has a body and no initial value.
                if !words.prefix(while: { $0 != "=" }).contains(where: { $0.contains("{") }) {
                    found[type.place].count += 1
                }
            }
        }
        return found
    }
}
