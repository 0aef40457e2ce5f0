/// An option of a command.
struct Option: Sendable {
    /// The long name, such as `--output`, followed by short names, such as `-o`.
    let names: [String]
    /// Its value; `nil` for a flag.
    let value: Value?
    let isRequired: Bool
    /// Whether it is omitted in help pages and completions.
    let isHidden: Bool
    let help: String

    init(_ names: String..., value: Value? = nil, isRequired: Bool = false, isHidden: Bool = false, help: String) {
        self.names = names
        self.value = value
        self.isRequired = isRequired
        self.isHidden = isHidden
        self.help = help
    }

    /// The long name, which is the key in ``Arguments``.
    var name: String { names[0] }

    /// The option in a usage line: `--output <file>`.
    var synopsis: String { name + (value.map { " " + $0.placeholder } ?? "") }

    static let version = Option("--version", help: "Show the version.")
    static let help = Option("--help", "-h", help: "Show help information.")
}
