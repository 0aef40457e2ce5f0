import Foundation
import ObjectStore

/// Everything in a seed database but its metadata, as lines of text that tests can compare.
func seedText(_ url: URL) throws -> String {
    let seed = try SeedDatabase(at: url)
    let tables = try seed.rows(sql: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
    var lines: [String] = []
    for table in tables {
        guard let name = table["name"]?.text, let sql = table["sql"]?.text, name != "_mappingkit" else { continue }
        lines.append(sql)
        guard sql.hasPrefix("CREATE TABLE") else { continue }
        for row in try seed.rows(sql: "SELECT * FROM \"\(name)\"") {
            let values = row.values.map(\.description).joined(separator: ", ")
            let line = values.replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(of: "\0", with: "\\0")
            lines.append("  (\(line))")
        }
    }
    return lines.joined(separator: "\n") + "\n"
}

/// The rows of a query, each value as SQL writes it.
func rows(_ sql: String, in url: URL) throws -> [String] {
    try SeedDatabase(at: url).rows(sql: sql).map { $0.values.map(\.description).joined(separator: ", ") }
}
