import ObjectMapping
import ObjectStore
import Seeder

extension Command {
    static let inspect: Command = Command(
        "inspect", "Show the contents of a seed database.",
        notes: ["The exit status is 65 if the checksum in FILE.sha256 does not match the file."],
        arguments: [Argument(Value("file", .file(["sqlite"])), help: "The database to show.")],
        options: [
            Option(
                "--rows", value: Value("count", .count, preset: "3"),
                help: "The maximum number of rows to show of each entity."),
            Option(
                "--object", value: Value("name", .text),
                help: """
                    Show one object with its relationships instead: its entity and its identity, or its row if it has no \
                    identity, such as Task/105.
                    """),
            Option("--verify", help: "Check all pages and references. The exit status is 65 if there is damage."),
        ],
        run: { arguments in
            let limit = Int(arguments.value("--rows")) ?? 0
            let path = arguments.operands[0]
            let file = try SeedFile(path)
            var isIntact = true
            do {
                let seed = try SeedDatabase(at: URL(filePath: path))
                try print("\(path): \(sized(file.size)), \(file.checksum.description)")
                if arguments.has("--object") {
                    let name = arguments.value("--object")
                    let url = URL(filePath: path)
                    try print("\n\(name.withoutControls)")
                    try print(try lines(ofObject: name, in: url, seed.model, limit: limit))
                } else {
                    for entity in seed.model.entities { try print(try lines(of: entity, in: seed, limit: limit)) }
                }
                let unresolved = try seed.unresolvedConnections().map(SeedReport.Unresolved.init)
                if !unresolved.isEmpty { try print("\n" + unresolvedLines(unresolved).joined(separator: "\n")) }
                if arguments.has("--verify") {
                    let damages = try seed.damages()
                    isIntact = damages.isEmpty
                    try print("\n" + (damages.isEmpty ? "no damage found by SQLite" : damages.joined(separator: "\n")))
                }
            } catch let error as StoreError {
                throw SeedError(error, path)
            }
            if file.checksum == .wrong {
                printError("seed-db: \(path) does not match its checksum in \(path).sha256: build or copy it again")
            } else if !isIntact {
                printError("seed-db: \(path) is damaged: build or copy it again")
            }
            return isIntact && file.checksum != .wrong ? 0 : SeedError.Kind.badData.exitStatus
        })
}

/// Returns the number of rows of an entity and its first rows, in columns.
private func lines(of entity: EntityDescription, in seed: SeedDatabase, limit: Int) throws -> String {
    let count = try seed.count(of: entity.name)
    let title = "\n\(entity.name): \(counted(count, "row"))"
    let rows = try seed.rows(of: entity.name, limit: limit)
    guard let columns = rows.first?.columns else { return title }
    let cells = [columns] + rows.map { $0.values.map(cell) }
    let widths = columns.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    let table = cells.map { row in
        let line = zip(row, widths).map { $0.padding(to: $1) }.joined(separator: "  ")
        return "  " + String(line.reversed().drop { $0 == " " }.reversed())
    }
    return ([title] + table + (count > rows.count ? ["  …"] : [])).joined(separator: "\n")
}

/// Returns a value on one line, truncated if necessary.
private func cell(_ value: StoredValue) -> String {
    let text = (value.text ?? value.description).withoutControls
    return text.count > 32 ? String(text.prefix(31)) + "…" : text
}
