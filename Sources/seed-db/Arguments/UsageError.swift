import ObjectMapping

/// A command line that makes no sense.
struct UsageError: Error {
    let message: String
    let usage: String

    init(_ message: String, _ command: Command? = nil) {
        self.message = message
        usage = command?.usage ?? "usage: seed-db COMMAND …; 'seed-db --help' lists the commands"
    }

    /// An unknown name, with the nearest known one.
    static func unknown(_ what: String, _ name: String, among known: [String], _ command: Command? = nil) -> Self {
        // One letter is near every other one.
        let near = nearestNames(to: name, among: known.filter { $0.count > 2 }).first
        return UsageError("unknown \(what) '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""), command)
    }
}
