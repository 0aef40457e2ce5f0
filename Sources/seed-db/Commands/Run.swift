import Seeder

/// Runs the command of a command line and returns its exit status.
func run(_ words: [String]) -> Int32 {
    do {
        return try dispatch(words)
    } catch let error as UsageError {
        printError(error.text(width: terminalWidth(of: STDERR_FILENO)))
        return 64
    } catch let error as SeedError {
        printError(text(of: error))
        return error.kind.exitStatus
    } catch {
        printError("\(Command.toolName): \(error)")
        return 74
    }
}

private func dispatch(_ words: [String]) throws -> Int32 {
    let arguments: Arguments
    do {
        arguments = try Arguments(words, for: .tool)
    } catch {
        // Help is printed even if the rest of the command line is invalid.
        guard words.prefix(while: { $0 != "--" }).contains(where: Option.help.names.contains) else { throw error }
        try printHelp(of: error.command)
        return 0
    }
    if arguments.has("--help") {
        try printHelp(of: arguments.command)
    } else if arguments.has("--version") {
        try print("\(Command.toolName) \(version)")
    } else {
        return try arguments.command.run(arguments)
    }
    return 0
}

/// Prints the help page of a command, wrapped to the width of the terminal.
func printHelp(of command: Command) throws {
    try print(HelpPage(command, width: terminalWidth(of: STDOUT_FILENO)).text)
}

/// The version of the package, and its date.
let version = "0.1.0"
let versionDay = "November 21, 2026"
