import ObjectMapping
import Seeder

/// An invalid command line.
struct UsageError: Error {
    let message: String
    /// The command whose usage is shown.
    let command: Command

    init(_ message: String, _ command: Command) {
        // Words of a command line can be file names with control characters.
        self.message = message.withoutControls
        self.command = command
    }

    /// The message, the usage, and where to find more help.
    func text(width: Int) -> String {
        """
        \(Command.toolName): \(message)
        \(HelpPage(command, width: width).usage(title: "Usage:"))
          See '\(command.invocation) --help' for more information.
        """
    }
}

/// Returns a suggestion for a similar known name, or an empty text.
func suggestion(for name: String, among known: [String]) -> String {
    // A single letter is similar to any other one, and a prefix of one name is similar enough.
    let known = known.filter { $0.count > 2 }
    let continued = name.count > 3 ? known.filter { $0.hasPrefix(name) } : []
    let near = nearestNames(to: name, among: known).first ?? (continued.count == 1 ? continued[0] : nil)
    return suggestionText(near.map { [$0] } ?? [])
}
