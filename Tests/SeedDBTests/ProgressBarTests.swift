import Foundation
import TestSupport
import Testing

/// The bar as printed to a terminal.
@Suite struct ProgressBarTests {
    /// A folder with a manifest and a dump.
    private static func folder(tasks: Int = 20_000, source: String = "tasks.json") throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try folder.write(
            """
            { "model": { "Task": { "identifiedBy": "id", "attributes": { "id": { "type": "integer" } } } },
              "sources": [{ "file": "\(source)", "entity": "Task" }] }
            """, to: "seed.json")
        try folder.write("[" + (1...tasks).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]", to: "tasks.json")
        return folder
    }

    private static let build = "seed-db build seed.json -o out.sqlite"
    private static let erasure = "\r\u{1B}[K"

    private func written(
        _ command: String, columns: Int = 80, environment: [String: String] = [:], status: Int32 = 0
    ) throws -> String {
        let terminal = try PseudoTerminal(columns: columns)
        let environment = ["TERM": "xterm", "COLUMNS": "", "NO_COLOR": ""].merging(environment) { $1 }
        let folder = try Self.folder()
        let result = try runShell(
            "\(command) 2>\(terminal.path)", environment: environment, directory: folder.url)
        #expect(result.status == status, "\(terminal.written)")
        return terminal.written
    }

    @Test func `a build on a terminal shows file, progress and phases, and removes them`() throws {
        let text = try written(Self.build)
        #expect(text.contains("tasks.json"))
        #expect(text.contains("0 %"))
        #expect(text.contains("building indexes"))
        #expect(text.contains("writing checksum"))
        #expect(text.contains("=") == text.contains("\u{1B}[32m"))
        #expect(text.hasSuffix(Self.erasure))
        #expect(!text.contains("\n"))
    }

    @Test func `lines are no wider than the window, regardless of COLUMNS`() throws {
        for (columns, variable) in [(30, ""), (30, "200"), (200, "30")] {
            let text = try written(Self.build, columns: columns, environment: ["COLUMNS": variable, "NO_COLOR": "1"])
            let lines = text.split(separator: "\r").map { $0.replacingOccurrences(of: "\u{1B}[K", with: "") }
            #expect(lines.contains { $0.contains("%") })
            #expect(lines.allSatisfy { $0.count < 30 }, "\(lines)")
        }
    }

    @Test func `NO_COLOR removes the color, not the bar`() throws {
        let text = try written(Self.build, environment: ["NO_COLOR": "1"])
        #expect(text.contains("[ ") && text.contains("0 %"))
        #expect(text.replacingOccurrences(of: "\u{1B}[K", with: "").contains("\u{1B}") == false)
    }

    @Test(arguments: [("\(build) --quiet", "xterm"), (build, "dumb"), (build, "")])
    func `quiet builds and dumb terminals get no bar`(command: String, terminal: String) throws {
        #expect(try written(command, environment: ["TERM": terminal]) == "")
    }

    @Test func `a file or pipe gets no bar`() throws {
        let folder = try Self.folder()
        let result = try runShell(Self.build, environment: ["TERM": "xterm"], directory: folder.url)
        #expect(result.errors == "")
    }

    @Test func `messages have their own lines`() throws {
        let text = try written("\(Self.build) --verbose")
        let lines = text.components(separatedBy: "\r\n").dropLast()
        #expect(lines.count == 3)
        let shown = lines.map { $0.components(separatedBy: Self.erasure).last ?? "" }
        #expect(
            shown == [
                "reading tasks.json", "tasks.json: 20000 read, 20000 stored, 0 rejected", "connecting relationships",
            ])
    }

    @Test func `an error is printed after the bar is removed`() throws {
        let text = try written("echo x >>tasks.json; \(Self.build)", status: 65)
        let message = try #require(text.components(separatedBy: Self.erasure).last)
        #expect(message.hasPrefix("tasks.json:1:"), "\(message)")
    }

    @Test func `standard input has no progress until it is copied, and an interruption leaves nothing`() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let folder = try Self.folder(source: "-")
        #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
        // The process keeps the pipe open and waits; the second piece arrives when a new bar is due.
        let script = #"""
            exec 3<>pipe
            printf '[{"id":1},' >&3
            (sleep 0.3; printf '{"id":2}' >&3) &
            exec "$0" build seed.json -o out.sqlite <pipe 2>"$1"
            """#
        let process = try RunningProcess(
            URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script, product("seed-db").path, terminal.path],
            environment: ["TERM": "xterm", "COLUMNS": "", "NO_COLOR": ""], directory: folder.url)
        for _ in 0..<1000 where !terminal.written.contains("18 bytes") { try await Task.sleep(for: .milliseconds(10)) }
        process.send(SIGINT)
        let result = try process.wait()
        #expect(result.status == 130)
        let text = terminal.written
        #expect(text.contains("copying standard input  18 bytes"))
        #expect(!text.contains("%"))
        #expect(text.hasSuffix(Self.erasure + "seed-db: interrupted\r\n"), "\(text)")
        #expect(try folder.names == ["pipe", "seed.json", "tasks.json"])
    }
}
