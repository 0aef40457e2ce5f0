import ObjectMapping

/// The page of `seed-db --help`.
var overview: String {
    """
    seed-db builds the database that an app starts with from JSON dumps.

    usage: seed-db COMMAND …

    \(table(Command.all.map { ($0.name, $0.summary) }))

    'seed-db COMMAND --help' tells more of a command, 'seed-db --version' the version.

    exit status: 0 done, 64 usage, 65 bad data or manifest, 66 input missing, 73 cannot create the output,
    74 input/output error, 130 and 143 interrupted

    """
}

extension Command {
    /// The page of `seed-db COMMAND --help`.
    var help: String {
        """
        \(summary)

        \(usage)

        \(table((options + [.help]).map { ($0.synopsis, $0.help) }))
        \(notes.isEmpty ? "" : "\n" + notes + "\n")
        """
    }
}

private func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  " + $0.padding(to: width) + "  " + $1 }.joined(separator: "\n")
}
