import ExampleSupport
import Foundation
import ObjectStore
import Seeder

let isoCodes = Example(
    "iso-codes", group: "Seeding", "The world's countries, regions, currencies and languages, and three questions"
) { story in
    let dumps = URL(filePath: ProcessInfo.processInfo.environment["ISO_CODES"] ?? "/usr/share/iso-codes/json")
    guard FileManager.default.fileExists(atPath: dumps.appending(path: "iso_3166-2.json").path) else {
        story.say(
            """
            This example reads the dumps of Debian's package iso-codes, which are not in \(dumps.path). Install the package
            (`apt-get install iso-codes`), or set ISO_CODES to its folder `json`, and run the example again.
            """)
        return
    }
    let manifest = exampleData("iso-codes").appending(path: "seed.json")
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    story.say(
        """
        Debian's package iso-codes contains real dumps: countries, their subdivisions, former countries, currencies,
        languages and scripts. A subdivision of Azerbaijan and one of Britain:
        """)
    story.show(
        """
        { "code": "AZ-BAB", "name": "Babək", "parent": "NX", "type": "Rayon" }
        { "code": "GB-ABE", "name": "Aberdeen City", "parent": "GB-SCT", "type": "Council area" }
        """)
    story.say(
        """
        A code starts with the country. The code of a parent is written with or without the country. The manifest
        extracts parts of strings with `match`, joins strings with `join`, and tries several keys:
        """)
    story.show(try lines(of: manifest, from: "    \"Subdivision\"", to: "    \"FormerCountry\""))

    let file = folder.appending(path: "iso.sqlite")
    let report = try buildIsoCodes(manifest: manifest, dumps: dumps, output: file)
    let seed = try SeedDatabase(at: file)

    story.say("The dumps are read from their folder, `base`. The build reports the number of rows:")
    story.showCode("build")
    for entity in report.entities { story.show("\(entity.name): \(entity.rows)") }

    story.say(
        """
        First question: which countries have the deepest nesting of subdivisions? A recursive query follows the parents:
        """)
    story.showCode("depth")
    for row in try seed.rows(sql: deepestCountries) { story.show(cells(row)) }

    story.say(
        "Second: which countries succeeded the former ones? A four-letter code ends with the code of the successor:")
    story.showCode("successors")
    for row in try seed.rows(sql: successors) { story.show(cells(row)) }

    story.say("Third: which currencies name a country that does not exist? The report of the build lists them:")
    for unresolved in report.unresolved {
        let keys = unresolved.samples.joined(separator: ", ")
        story.show("\(unresolved.entity).\(unresolved.relationship): \(unresolved.count) to \(keys)")
    }
    story.showCode("currencies")
    for row in try seed.rows(sql: strayCurrencies) { story.show(cells(row)) }

    story.say(
        """
        A key without an object is null in the database and listed in the report. So gaps in the data are found when the
        seed is built, and not in the app.
        """)
}

private func lines(of url: URL, from start: String, to end: String) throws -> String {
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    return lines.drop { !$0.hasPrefix(start) }.prefix { !$0.hasPrefix(end) }.joined(separator: "\n")
}

private func cells(_ row: SeedRow) -> String {
    row.values.map { $0.text ?? $0.integer.map(String.init) ?? "none" }.joined(separator: " | ")
}

// snippet.build
func buildIsoCodes(manifest: URL, dumps: URL, output: URL) throws -> SeedReport {
    var options = SeedOptions()
    options.base = dumps
    return try ObjectSeeder(manifest: manifest, output: output, options: options).finish()
}
// snippet.end

// snippet.depth
let deepestCountries = """
    WITH RECURSIVE part(_id, country, depth) AS (
        SELECT _id, country, 1 FROM Subdivision WHERE parent IS NULL
        UNION ALL SELECT s._id, s.country, depth + 1 FROM Subdivision s JOIN part ON s.parent = part._id)
    SELECT coalesce(commonName, name) AS country, max(depth) AS levels, count(*) AS parts
    FROM part JOIN Country ON Country._id = part.country
    GROUP BY Country._id ORDER BY levels DESC, parts DESC, alpha2 LIMIT 5
    """
// snippet.end

// snippet.successors
let successors = """
    SELECT f.withdrawnYear, f.name, coalesce(c.commonName, c.name)
    FROM FormerCountry f JOIN Country c ON c._id = f.successor
    WHERE f.alpha2 <> c.alpha2 ORDER BY f.withdrawn DESC, f.alpha4 LIMIT 5
    """
// snippet.end

// snippet.currencies
let strayCurrencies = """
    SELECT m.alpha3, m.name, f.name, f.withdrawnYear
    FROM Currency m LEFT JOIN FormerCountry f ON f.alpha2 = m.countryCode
    WHERE m.country IS NULL AND m.countryCode IS NOT NULL ORDER BY m.alpha3
    """
// snippet.end
