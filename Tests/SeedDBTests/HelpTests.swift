import Foundation
import TestSupport
import Testing

@testable import seed_db

@Suite struct HelpTests {
    /// The pages on a terminal of 80 columns, one after the other.
    @Test func `the help pages match the fixtures`() throws {
        let pages = ([Command.tool] + Command.tool.subcommands).map {
            "$ \($0.invocation) --help\n" + page($0, 80) + "\n"
        }
        try expectSnapshot("help.txt", pages.joined(separator: "\n"))
    }

    @Test(arguments: [40, 60, 79, 120, 200])
    func `a page is as wide as the terminal, unless a word is wider`(width: Int) {
        for command in [Command.tool] + Command.tool.subcommands {
            for line in page(command, width).split(separator: "\n") where line.count > width {
                let words = line.split(separator: " ")
                #expect(words.count == 1 || line.hasPrefix("  -") || line.contains("See '"), "\(line)")
            }
        }
    }

    @Test(arguments: [["build", "--help"], ["build", "-h"], ["help", "build"], ["build", "--bogus", "--help"]])
    func `help is printed to standard output, with the width of COLUMNS`(arguments: [String]) throws {
        let result = try runExecutable(named: "seed-db", arguments: arguments, environment: ["COLUMNS": "50"])
        #expect(result.status == 0)
        #expect(result.errors == "")
        #expect(result.output == page(.build, 50) + "\n")
    }

    @Test(arguments: [("", 33), ("nonsense", 33), ("60", 60), ("1", 20)])
    func `a terminal has its own width, which COLUMNS overrides`(columns: String, width: Int) throws {
        let terminal = try PseudoTerminal(columns: 33)
        let result = try runShell("seed-db inspect --help >\(terminal.path)", environment: ["COLUMNS": columns])
        #expect(result.status == 0)
        #expect(terminal.written.replacingOccurrences(of: "\r\n", with: "\n") == page(.inspect, width) + "\n")
    }

    @Test func `a usage error is as wide as the terminal of standard error`() throws {
        let terminal = try PseudoTerminal(columns: 33)
        let result = try runShell("seed-db inspect 2>\(terminal.path)", environment: ["COLUMNS": ""])
        #expect(result.status == 64)
        let error = UsageError("missing argument <file>", .inspect).text(width: 33)
        #expect(terminal.written.replacingOccurrences(of: "\r\n", with: "\n") == error + "\n")
    }

    @Test func `the version is printed alone`() throws {
        #expect(try runExecutable(named: "seed-db", arguments: ["--version"]).output == "seed-db \(version)\n")
    }

    private func page(_ command: Command, _ width: Int) -> String { HelpPage(command, width: width).text }
}
