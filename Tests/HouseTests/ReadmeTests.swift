import Foundation
import LoopbackServer
import TestSupport
import Testing

/// Snippets, commands and pictures in the README and the modules' pages are compiled, run and compared.
@Suite struct Readme {
    /// A program and its output according to the page.
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

    /// The programs of all pages, with the `text` blocks directly after them as their output.
    ///
    /// Parts of a package manifest are not programs, and there is no ObjectMapper to compile snippets with.
    static let snippets = pages.flatMap { blocks in
        blocks.enumerated().compactMap { index, block -> Snippet? in
            guard block.words == ["swift"], !block.text.hasPrefix("import ObjectMapper\n") else { return nil }
            let next = index + 1 < blocks.count ? blocks[index + 1] : nil
            return Snippet(code: block, output: next?.words == ["text"] ? next : nil)
        }
    }

    /// The first three users of jsonplaceholder.typicode.com, with the keys that the README reads.
    private static let users = """
        [{ "id": 1, "name": "Leanne Graham", "username": "Bret",
           "address": { "city": "Gwenborough", "geo": { "lat": "-37.3159", "lng": "81.1496" } } },
         { "id": 2, "name": "Ervin Howell", "username": "Antonette",
           "address": { "city": "Wisokyburgh", "geo": { "lat": "-43.9509", "lng": "-34.4618" } } },
         { "id": 3, "name": "Clementine Bauch", "username": "Samantha",
           "address": { "city": "McKenziehaven", "geo": { "lat": "-68.6102", "lng": "-47.0653" } } }]
        """

    private static func tracker(_ call: String) -> Answer? {
        switch call {
        case "GET /projects":
            Answer(body: #"{"projects": [{"id": 4, "name": "Boathouse"}, {"id": 5, "name": "Pier"}]}"#.utf8)
        case "GET /projects/4/tasks":
            Answer(
                body: """
                    [{"id": 7, "name": "Paint the boat", "project_id": 4},
                     {"id": 8, "name": "Order the lamps", "project_id": 4}]
                    """.utf8)
        case "GET /projects/5/tasks": Answer(body: #"[{"id": 9, "name": "Mend the nets", "project_id": 5}]"#.utf8)
        case "PATCH /tasks/7": Answer(body: #"{"id": 7, "name": "Paint it blue", "project_id": 4}"#.utf8)
        case "PATCH /tasks/8": Answer(422, body: #"{"errors": {"name": ["is taken"]}}"#.utf8)
        case "DELETE /tasks/7": Answer(204)
        default: nil
        }
    }

    @Test(arguments: snippets) func `a snippet compiles and prints the output below it`(_ snippet: Snippet)
        async throws
    {
        let folder = try TemporaryDirectory()
        // The server that the README names, with the same users, and a tracker of projects.
        let server = try LoopbackServer { request in
            let call = "\(request.method) \(request.target)"
            return call == "GET /users?_limit=3" ? Answer(body: Self.users.utf8) : Self.tracker(call)
        }
        let code = snippet.code.text.replacing("https://jsonplaceholder.typicode.com", with: server.url.absoluteString)
            .replacing("https://tracker.example.com", with: server.url.absoluteString)
        try folder.write(code, to: "main.swift")
        let compiled = try await compileProgram("snippet", of: "main.swift", in: folder)
        try #require(compiled.status == 0, "\(compiled.errors)")
        guard let output = snippet.output else { return }
        let result = try RunningProcess(folder.file("snippet")).wait()
        #expect(result.output == output.text)
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Each `console` block runs in a separate folder with the dumps of the tracker, the invalid dumps, and the JSON files
    /// that its page shows.
    @Test(arguments: pages.joined().filter { $0.language == "console" })
    func `commands print the output below them`(_ block: ReadmeBlock) throws {
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
        // One shell runs all commands, so that `$?` is the status of the command before it.
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

    @Test func `the picture of a terminal shows what seed-db prints`() throws {
        let drawn = try RunningProcess(resource("scripts/draw-terminal"), arguments: [productsDirectory.path]).wait()
        #expect(drawn.status == 0, "\(drawn.errors)")
        #expect(
            try drawn.output == resourceText("Examples/seed-db.svg"), "run scripts/draw-terminal and keep its output")
    }

    @Test func `the README is short`() throws {
        #expect(try resourceText("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 265)
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md"]) func `links within the repository have a target`(_ page: String)
        throws
    {
        for link in try resourceText(page).matches(of: /\]\(([^):#]+)\)/) {
            // GitHub serves the state of a workflow above the repository's files.
            if link.1.hasPrefix("../../actions/") { continue }
            let target = resource(String(link.1)).path
            #expect(FileManager.default.fileExists(atPath: target), "\(link.1)")
        }
    }
}
