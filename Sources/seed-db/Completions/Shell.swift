/// A shell with a completion script.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// Returns the script that completes a tool's command lines.
    func script(for tool: Command) -> String {
        switch self {
        case .bash: BashCompletion(tool).text
        case .zsh: ZshCompletion(tool).text
        case .fish: FishCompletion(tool).text
        }
    }
}

extension Command {
    /// The tool's name as a function name in shells.
    static let functionName = "_" + toolName.replacing("-", with: "_")
}

extension String {
    /// The text as a quoted word in a shell.
    var shellQuoted: String { "'" + replacing("'", with: #"'\''"#) + "'" }

    /// Returns the lines with indentation.
    func indented(by count: Int) -> String {
        let blanks = String(repeating: " ", count: count)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : blanks + $0 }.joined(separator: "\n")
    }
}
