/// The output of `--help` for a command, at a given width.
struct HelpPage {
    private let command: Command
    private let width: Int

    init(_ command: Command, width: Int) {
        self.command = command
        self.width = width
    }

    var text: String {
        let options = command.shownOptions.map { ($0.label, $0.help + ($0.value?.facts ?? "")) }
        let sections = command.sections.filter(\.isInHelp)
        var blocks = [lines(of: "OVERVIEW: " + command.summary, width: width)]
        blocks += command.notes.map { lines(of: $0, width: width) }
        blocks.append([usage(title: "USAGE:")])
        blocks.append(table("ARGUMENTS", command.arguments.map { ($0.value.placeholder, $0.help + $0.value.facts) }))
        blocks.append(table("OPTIONS", options))
        blocks.append(table("SUBCOMMANDS", command.subcommands.map { ($0.name, $0.summary) }))
        blocks += sections.map { table($0.title, $0.rows) }
        if !command.subcommands.isEmpty {
            blocks.append(["  See '\(command.name) help <subcommand>' for detailed information."])
        }
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// Returns the usage with its title; further lines are indented.
    func usage(title: String) -> String {
        lines(of: ["\(title) \(command.invocation)"] + command.synopsis, width: width, indent: 4)
            .joined(separator: "\n")
    }

    /// Returns a table with aligned descriptions; a long label has a separate line.
    private func table(_ title: String, _ rows: [(label: String, text: String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let edge = min(26, width / 3)
        return ["\(title):"]
            + rows.flatMap { row in
                let texts = lines(of: row.text, width: width - edge)
                let label = "  " + row.label
                let fits = label.count < edge
                let head = fits ? [label.padding(to: edge) + (texts.first ?? "")] : [label]
                return head + texts.dropFirst(fits ? 1 : 0).map { String(repeating: " ", count: edge) + $0 }
            }
    }
}

extension Option {
    /// The option in the left column: `-o, --output <file>`.
    var label: String { (names.dropFirst() + [synopsis]).joined(separator: ", ") }
}
