/// An option of a command, as the parser and the help page want it.
struct Option: Sendable {
    /// The long name first, as `--output`; then short ones, as `-o`.
    let names: [String]
    /// What its value is called, as `FILE`; nil if it takes none.
    let value: String?
    let help: String

    init(_ names: String..., value: String? = nil, help: String) {
        self.names = names
        self.value = value
        self.help = help
    }

    /// The left column of the help page: `-o, --output FILE`.
    var synopsis: String {
        names.reversed().joined(separator: ", ") + (value.map { " " + $0 } ?? "")
    }

    static let help = Option("--help", "-h", help: "Shows this page.")
}
