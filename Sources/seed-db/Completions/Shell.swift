/// A shell that a completion script can be made for.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The script that completes a tool's command lines.
    func script(for tool: Command) -> String {
        switch self {
        case .bash: BashCompletion(tool).text
        case .zsh: ZshCompletion(tool).text
        case .fish: FishCompletion(tool).text
        }
    }
}

extension Command {
    /// The tool's name as shells take it in the name of a function.
    static let functionName = "_" + toolName.replacing("-", with: "_")
}

extension String {
    /// The text as one word of a shell.
    var shellQuoted: String { "'" + replacing("'", with: #"'\''"#) + "'" }

    /// The lines, each moved to the right.
    func indented(by count: Int) -> String {
        let blanks = String(repeating: " ", count: count)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : blanks + $0 }.joined(separator: "\n")
    }
}
