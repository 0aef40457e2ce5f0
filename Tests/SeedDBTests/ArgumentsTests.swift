import Testing

@testable import seed_db

@Suite struct ArgumentsTests {
    /// The parsed command line on one line, or the message of a usage error.
    private func meaning(_ line: String) -> String {
        do {
            let arguments = try Arguments(line.split(separator: " ").map(String.init), for: .tool)
            let options = arguments.command.options.filter { arguments.has($0.name) }.map { option in
                option.value == nil ? option.name : "\(option.name)=\(arguments.value(option.name))"
            }
            return ([arguments.command.name] + arguments.operands + options).joined(separator: " ")
        } catch {
            return error.message
        }
    }

    @Test(arguments: [
        ("build a -o b", "build a --output=b"),
        ("build -o b a", "build a --output=b"),
        ("build --output=b=c a", "build a --output=b=c"),
        ("build a -ob", "build a --output=b"),
        ("build a -o=b", "build a --output=b"),
        ("build a -o=-b", "build a --output=-b"),
        ("build a -o -", "build a --output=-"),
        ("build - -o b", "build - --output=b"),
        ("build a -qvob", "build a --output=b --quiet --verbose"),
        ("build a -qvo b", "build a --output=b --quiet --verbose"),
        ("build a -o b -q -q --quiet", "build a --output=b --quiet"),
        ("build -o b -- -a", "build -a --output=b"),
        ("keypath -- --a -b", "keypath --a -b"),
        ("keypath -- -- -b", "keypath -- -b"),
        ("inspect a", "inspect a"),
        ("inspect a --rows 0", "inspect a --rows=0"),
        ("inspect a --rows 0x1", "option '--rows' needs a number, 0 or greater, not '0x1'"),
        (
            "inspect a --rows 99999999999999999999",
            "option '--rows' needs a number, 0 or greater, not '99999999999999999999'"
        ),
        ("inspect --help --version", "inspect --version --help"),
        ("help", "help"), ("help build", "help build"),
        ("--help build", "build --help"),
        ("--generate-completion-script bash", "seed-db --generate-completion-script=bash"),
        (
            "--generate-completion-script bash build",
            "unexpected argument 'build' after '--generate-completion-script'"
        ),
        ("build a b\u{1B}[31m", "unexpected argument 'b [31m'"),
        (
            "help bild",
            "<subcommand> is 'build', 'check', 'infer', 'inspect', 'diff', 'models', 'keypath' or 'help', not 'bild'; did you mean 'build'?"
        ),
    ])
    func `options and values are parsed`(line: String, meaning: String) {
        #expect(self.meaning(line) == meaning)
    }

    @Test func `an absent option has its default`() throws {
        let arguments = try Arguments(["inspect", "a"], for: .tool)
        #expect(arguments.value("--rows") == "3")
        #expect(!arguments.has("--rows"))
        #expect(arguments["--verify"] == nil)
    }

    @Test func `commands are found by exact names`() {
        for command in [Command.tool] + Command.tool.subcommands {
            let names = command.options.flatMap(\.names)
            #expect(Set(names).count == names.count, "\(command.name)")
            #expect(names.allSatisfy { $0.hasPrefix("--") || $0.count == 2 }, "\(command.name)")
            #expect(command.options.allSatisfy { $0.name.hasPrefix("--") }, "\(command.name)")
        }
    }
}
