/// An option of a command.
struct Option: Sendable {
    /// The long name first, as `--output`; then short ones, as `-o`.
    let names: [String]
    /// Its value; nil for a flag.
    let value: Value?
    let isRequired: Bool
    /// Whether help pages and completions leave it out.
    let isHidden: Bool
    let help: String

    init(_ names: String..., value: Value? = nil, isRequired: Bool = false, isHidden: Bool = false, help: String) {
        self.names = names
        self.value = value
        self.isRequired = isRequired
        self.isHidden = isHidden
        self.help = help
    }

    /// The long name, the key of ``Arguments``.
    var name: String { names[0] }

    /// The option in a usage line: `--output <file>`.
    var synopsis: String { name + (value.map { " " + $0.placeholder } ?? "") }

    static let version = Option("--version", help: "Show the version.")
    static let help = Option("--help", "-h", help: "Show help information.")
}
