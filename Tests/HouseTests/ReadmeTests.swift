import Foundation
import TestSupport
import Testing

/// What the README and the modules' pages show is what happens.
@Suite struct Readme {
    /// A program and what its page says it prints.
    struct Snippet: CustomTestStringConvertible {
        let code: ReadmeBlock
        let output: ReadmeBlock?
        var testDescription: String { code.testDescription }
    }

    /// The blocks of the README and of the pages of all modules, page by page.
    static let pages: [[ReadmeBlock]] = {
        let files = FileManager.default.enumerator(atPath: resource("Sources").path)?.compactMap { $0 as? String } ?? []
        return [ReadmeBlock.readme]
            + files.filter { $0.hasSuffix(".md") }.sorted().map { ReadmeBlock.blocks(of: "Sources/\($0)") }
    }()

    /// A `text` block right after a program is its output; a part of a package manifest is no program, and what uses
    /// ObjectMapper has nothing to be compiled with.
    static let snippets = pages.flatMap { blocks in
        blocks.enumerated().compactMap { index, block -> Snippet? in
            guard block.words == ["swift"], !block.text.hasPrefix("import ObjectMapper\n") else { return nil }
            let next = index + 1 < blocks.count ? blocks[index + 1] : nil
            return Snippet(code: block, output: next?.words == ["text"] ? next : nil)
        }
    }

    @Test(arguments: snippets) func `a snippet compiles and prints what stands below it`(_ snippet: Snippet)
        async throws
    {
        let folder = try TemporaryDirectory()
        try folder.write(snippet.code.text, to: "main.swift")
        let compiled = try await compileProgram("snippet", of: "main.swift", in: folder)
        try #require(compiled.status == 0, "\(compiled.errors)")
        guard let output = snippet.output else { return }
        let result = try RunningProcess(folder.file("snippet")).wait()
        #expect(result.output == output.text)
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Each `console` block runs in a folder of its own: the dumps of the tracker, the broken ones, and the files of JSON
    /// that its page shows.
    @Test(arguments: pages.joined().filter { $0.language == "console" })
    func `commands print what stands below them`(_ block: ReadmeBlock) throws {
        let folder = try TemporaryDirectory()
        for name in ["users.json", "tasks.json"] {
            try folder.write(try resourceData("Examples/Data/tracker/\(name)"), to: name)
        }
        for name in ["seed.json", "tasks.json"] {
            try folder.write(try resourceData("Examples/Data/broken/\(name)"), to: "broken/\(name)")
        }
        for shown in ReadmeBlock.blocks(of: block.page) where shown.language == "json" {
            if let file = shown.file { try folder.write(shown.text, to: file) }
        }
        // One shell runs all commands, so that `$?` means what it says; each is printed before its output.
        let script = block.text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { $0.hasPrefix("$ ") }
            .map {
                "printf '%s\\n' '\($0.replacing("'", with: "'\\''"))'\n(exit $status); \($0.dropFirst(2)); status=$?"
            }
            .joined(separator: "\n")
        let result = try runShell("exec 2>&1; status=0\n" + script, directory: folder.url)
        #expect(result.output == block.text)
    }

    @Test(arguments: pages.joined().filter { $0.language == "json" && $0.text.contains("\"sources\"") })
    func `a manifest that a page shows is built by a command there`(_ block: ReadmeBlock) throws {
        let file = try #require(block.file)
        let commands = ReadmeBlock.blocks(of: block.page).filter { $0.language == "console" }
        #expect(commands.contains { $0.text.contains("seed-db build \(file) ") })
    }

    @Test func `the manifest fits in eight lines`() throws {
        let manifest = try #require(ReadmeBlock.readme.first { $0.words == ["json", "seed.json"] })
        #expect(manifest.text.split(separator: "\n").count <= 8)
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md"]) func `links within the repository lead somewhere`(_ page: String)
        throws
    {
        for link in try resourceText(page).matches(of: /\]\(([^):#]+)\)/) {
            let target = resource(String(link.1)).path
            #expect(FileManager.default.fileExists(atPath: target), "\(link.1)")
        }
    }
}
