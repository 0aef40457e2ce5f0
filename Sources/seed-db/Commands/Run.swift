import ObjectMapping
import ObjectStore
import Seeder

/// Runs the command that the words name; the exit status.
func run(_ words: [String]) -> Int32 {
    do {
        return try dispatch(words)
    } catch let error as UsageError {
        printError("seed-db: \(error.message)\n\(error.usage)")
        return 64
    } catch let error as SeedError {
        printError(text(of: error))
        return error.kind.exitStatus
    } catch {
        printError("seed-db: \(error)")
        return 74
    }
}

private func dispatch(_ words: [String]) throws -> Int32 {
    switch words.first {
    case nil: throw UsageError("a command is missing")
    case "--help", "-h":
        try print(overview)
        return 0
    case "--version":
        try print("seed-db \(version)")
        return 0
    case let name? where name.hasPrefix("-"):
        throw UsageError.unknown("option", name, among: ["--help", "--version"])
    case let name?:
        guard let command = Command.all.first(where: { $0.name == name }) else {
            throw UsageError.unknown("command", name, among: Command.all.map(\.name))
        }
        let arguments = try Arguments(Array(words.dropFirst()), for: command)
        guard !arguments.has("--help") else {
            try print(command.help)
            return 0
        }
        return try command.run(arguments)
    }
}

/// The version of the package.
private let version = "0.1.0"
