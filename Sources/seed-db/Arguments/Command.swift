/// A command: the description for parsing, help, completions and the manual page.
struct Command: Sendable {
    let name: String
    /// The summary, one sentence.
    let summary: String
    /// Further paragraphs of the help page.
    let notes: [String]
    let arguments: [Argument]
    private let ownOptions: [Option]
    let subcommands: [Command]
    let sections: [Section]
    /// Runs the command and returns its exit status.
    let run: @Sendable (Arguments) throws -> Int32

    init(
        _ name: String, _ summary: String, notes: [String] = [], arguments: [Argument] = [], options: [Option] = [],
        subcommands: [Command] = [], sections: [Section] = [], run: @escaping @Sendable (Arguments) throws -> Int32
    ) {
        self.name = name
        self.summary = summary
        self.notes = notes
        self.arguments = arguments
        self.ownOptions = options
        self.subcommands = subcommands
        self.sections = sections
        self.run = run
    }

    /// Its options, including those of every command.
    var options: [Option] { ownOptions + [.version, .help] }

    /// The options that are not hidden.
    var shownOptions: [Option] { options.filter { !$0.isHidden } }

    /// The words that invoke it: `seed-db build`.
    var invocation: String { subcommands.isEmpty ? "\(Self.toolName) \(name)" : name }

    /// The parts of the usage after the invocation: `<manifest>`, `--output <file>`, `[--quiet]`.
    var synopsis: [String] {
        guard subcommands.isEmpty else { return ["<subcommand>"] }
        return arguments.map { argument in
            let name = argument.value.placeholder + (argument.isRepeated ? " ..." : "")
            return argument.isOptional ? "[\(name)]" : name
        }
            + ownOptions.filter { !$0.isHidden }.map { $0.isRequired ? $0.synopsis : "[\($0.synopsis)]" }
    }

    func option(named name: String) -> Option? { options.first { $0.names.contains(name) } }

    func subcommand(named name: String) -> Command? { subcommands.first { $0.name == name } }
}
