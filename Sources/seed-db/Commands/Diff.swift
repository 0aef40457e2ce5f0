import ObjectMapping
import ObjectStore
import Seeder

extension Command {
    static let diff: Command = Command(
        "diff", "Compare the rows of two seed databases by identity.",
        notes: [
            """
            Relationships are compared by the identities of their targets, rows without an identity by all values. Row \
            numbers are ignored. The exit status is 0 if the databases are equal, and 1 if they differ.
            """
        ],
        arguments: [
            Argument(Value("old", .file(["sqlite"])), help: "The old database."),
            Argument(Value("new", .file(["sqlite"])), help: "The new database."),
        ],
        options: [
            Option("--json", help: "Print a JSON object on each line, with all values of added and removed rows."),
            Option("--quiet", "-q", help: "Print nothing; only set the exit status."),
        ],
        run: { arguments in
            let (old, new) = (arguments.operands[0], arguments.operands[1])
            let difference = try SeedDifference(from: old, to: new)
            let output: any DifferenceOutput =
                if arguments.has("--quiet") { NoOutput() } else if arguments.has("--json") { JSONOutput() } else {
                    TextOutput()
                }
            for sentence in difference.modelDifferences { try output.model(sentence) }
            let counts: [SeedDifference.Counts]
            do {
                counts = try difference.compareRows(output.row)
            } catch let error as StoreError {
                throw SeedError(error, error.message.contains(new) ? new : old)
            }
            let isEqual = difference.modelDifferences.isEmpty && counts.allSatisfy(\.isEqual)
            try output.end(counts, isEqual: isEqual)
            return isEqual ? 0 : 1
        })
}

/// Prints differences as they are found.
private protocol DifferenceOutput {
    func model(_ sentence: String) throws
    func row(_ row: SeedDifference.Row) throws
    func end(_ counts: [SeedDifference.Counts], isEqual: Bool) throws
}

private struct NoOutput: DifferenceOutput {
    func model(_ sentence: String) {}
    func row(_ row: SeedDifference.Row) {}
    func end(_ counts: [SeedDifference.Counts], isEqual: Bool) {}
}

/// Prints a line for each row: its identity, or its values without an identity, and its changes.
private struct TextOutput: DifferenceOutput {
    func model(_ sentence: String) throws { try print("model: \(sentence)") }

    func row(_ row: SeedDifference.Row) throws {
        let sign =
            switch row.change {
            case .added: "+"
            case .removed: "-"
            case .changed: "~"
            }
        let identity = row.identity.map { text($0.1) }.joined(separator: ", ")
        var values: [String] = []
        if let old = row.old, let new = row.new {
            values = zip(old, new).map { "\($0.0) \(text($0.1)) -> \(text($1.1))" }
        } else if row.identity.isEmpty {
            values = (row.old ?? row.new ?? [:]).map { "\($0.0) \(text($0.1))" }
        }
        let title = "\(sign) \(row.entity)" + (identity.isEmpty ? "" : " \(identity)")
        try print(title + (values.isEmpty ? "" : ": " + values.joined(separator: ", ")))
    }

    func end(_ counts: [SeedDifference.Counts], isEqual: Bool) throws {
        guard !isEqual else { return }
        let changed = counts.filter { !$0.isEqual }
        for count in changed {
            try print(
                "\(count.entity): \(grouped(count.added)) added, \(grouped(count.removed)) removed, "
                    + "\(grouped(count.changed)) changed, \(grouped(count.unchanged)) unchanged")
        }
    }

    private func text(_ value: JSON) -> String { value.text.withoutControls }
}

/// Prints a JSON object per line: differences between the models, rows, and a summary of each entity.
private struct JSONOutput: DifferenceOutput {
    func model(_ sentence: String) throws { try print(JSON.object(["model": .string(sentence)]).text) }

    func row(_ row: SeedDifference.Row) throws {
        var members: [(String, JSON)] = [
            ("entity", .string(row.entity)), ("change", .string(row.change.rawValue)),
            ("identity", .object(row.identity)),
        ]
        if let old = row.old { members.append(("old", .object(old))) }
        if let new = row.new { members.append(("new", .object(new))) }
        try print(JSON.object(JSONObject(members)).text)
    }

    func end(_ counts: [SeedDifference.Counts], isEqual: Bool) throws {
        for count in counts {
            let numbers = [
                ("added", count.added), ("removed", count.removed), ("changed", count.changed),
                ("unchanged", count.unchanged),
            ]
            let members = [("entity", JSON.string(count.entity))] + numbers.map { ($0, .integer(Int64($1))) }
            try print(JSON.object(JSONObject(members)).text)
        }
    }
}
