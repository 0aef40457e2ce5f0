import Foundation
import TestSupport
import Testing

@testable import seed_db

@Suite struct ManualPageTests {
    @Test func `the page matches the fixture`() throws {
        let result = try runExecutable(named: "seed-db", arguments: ["--generate-man-page"])
        #expect(result.status == 0)
        #expect(result.output == ManualPage(.tool).text + "\n")
        try expectSnapshot("seed-db.1", result.output)
    }

    @Test(
        .enabled(if: areInstalled("mandoc", otherwise: "its opinion of the manual page is not asked")))
    func `mandoc has no warnings`() throws {
        let result = try runShell("mandoc -T lint", input: Data(ManualPage(.tool).text.utf8 + [10]))
        #expect(result.output == "")
        #expect(result.errors == "")
        #expect(result.status == 0)
    }

    @Test(.enabled(if: areInstalled("groff", otherwise: "its opinion of the manual page is not asked")))
    func `groff has no warnings`() throws {
        let result = try runShell(
            "groff -mandoc -Tutf8 -P-cbou -ww", input: Data(ManualPage(.tool).text.utf8 + [10]))
        #expect(result.errors == "")
        for words in ["SYNOPSIS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "--on-error", "NO_COLOR"] {
            #expect(result.output.contains(words))
        }
    }

    @Test func `every option and subcommand has an entry`() {
        let text = ManualPage(.tool).text
        for command in Command.tool.subcommands {
            #expect(text.contains(".Ss \(command.name)\n"))
            for option in command.shownOptions {
                #expect(text.contains("Fl " + option.name.dropFirst().replacing("-", with: #"\-"#)))
            }
        }
    }
}
