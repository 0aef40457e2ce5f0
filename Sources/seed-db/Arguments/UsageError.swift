import ObjectMapping
import Seeder

/// An invalid command line.
struct UsageError: Error {
    let message: String
    /// The command whose usage is shown.
    let command: Command

    init(_ message: String, _ command: Command) {
        // Words of a command line may be names of files that anyone has made.
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

/// The nearest known name, as the end of a message; empty if none is near.
func suggestion(for name: String, among known: [String]) -> String {
    // One letter is near every other one, and the beginning of one name is near enough.
    let known = known.filter { $0.count > 2 }
    let continued = name.count > 3 ? known.filter { $0.hasPrefix(name) } : []
    let near = nearestNames(to: name, among: known).first ?? (continued.count == 1 ? continued[0] : nil)
    return near.map { "; did you mean '\($0)'?" } ?? ""
}
