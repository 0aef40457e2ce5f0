import Foundation
import Seeder
import TestSupport
import Testing

/// Dumps in separate folders, with their drafts and findings.
@Suite struct DraftTests {
    /// `RENEW_SNAPSHOTS=1` writes the files again.
    @Test(arguments: [
        "bulk-actions", "categories", "charges", "dates", "features", "firebase", "food-facts", "github-events",
        "inventory", "json-api", "kinds", "ledger", "library", "lockfile", "memberships", "mongo-export", "orders",
        "pages", "places", "prices", "rails", "sites", "stock", "tree", "wikidata", "wrapped",
    ])
    func `a manifest is drafted that matches the dumps, with findings`(name: String) throws {
        let folder = fixture("inference/\(name)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { !["draft.json", "report.txt"].contains($0) }
        let inference = ManifestInference(dumps: files.map { folder.appending(path: $0) }, base: folder)
        let draft = try inference.run()
        let report = draft.findings.map { $0.description + "\n" }.joined()
        if ProcessInfo.processInfo.environment["RENEW_SNAPSHOTS"] != nil {
            try Data(draft.text.utf8).write(to: folder.appending(path: "draft.json"))
            try Data(report.utf8).write(to: folder.appending(path: "report.txt"))
        }
        #expect(draft.text == (try String(contentsOf: folder.appending(path: "draft.json"), encoding: .utf8)))
        #expect(report == (try String(contentsOf: folder.appending(path: "report.txt"), encoding: .utf8)))
        #expect(try inference.run() == draft)
        #expect(try ObjectSeeder.check(manifest: folder.appending(path: "draft.json")).isValid)
    }

    @Test func `the drafts of the examples have the connections of the manual manifests`() throws {
        let data = resource("Examples/Data/tracker")
        let files = ["tasks.json", "projects.json", "users.json"].map { data.appending(path: $0) }
        let draft = try ManifestInference(dumps: files, base: data).run()
        let folder = try TemporaryDirectory()
        try folder.write(draft.text, to: "seed.json")
        var options = SeedOptions()
        options.base = data
        _ = try ObjectSeeder(manifest: folder.file("seed.json"), output: folder.file("a.sqlite"), options: options)
            .finish()
        _ = try ObjectSeeder(
            manifest: data.appending(path: "seed.json"), output: folder.file("b.sqlite"), options: options
        ).finish()
        let query = """
            SELECT t.name, u.name, p.name, o.name FROM Task t LEFT JOIN User u ON u._id = t.assignedUser
            JOIN Project p ON p._id = t.project JOIN User o ON o._id = p.owner ORDER BY t.id
            """
        #expect(try rows(query, in: folder.file("a.sqlite")) == rows(query, in: folder.file("b.sqlite")))
    }

    @Test(arguments: [
        // The keys of the product and of the line, and the finding.
        (#""id": N, "sku": "S""#, #""product_sku": "S""#, "Line.product -> Product by productSku: name matches"),
        (#""id": N, "name": "S""#, #""product_name": "S""#, "rejected: Line.productName may refer to Product.name: "),
        (#""sku": "S""#, #""product_sku": "S""#, "Line.product -> Product by productSku: name matches"),
        (
            #""id": N, "sku": "S""#, #""product_id": N, "product_sku": "S""#,
            "rejected: Line.productSku may refer to Product.sku: "
        ),
    ])
    func `references to a unique attribute other than the identity are drafted if it is named like a key`(
        _ product: String, _ line: String, _ finding: String
    ) throws {
        func list(_ object: String) -> String {
            let objects = ["AB-1", "AB-2", "CD-7"].enumerated().map { number, sku in
                "{" + object.replacing("N", with: "\(number + 1)").replacing("\"S\"", with: "\"\(sku)\"") + "}"
            }
            return "[\(objects.joined(separator: ","))]"
        }
        let folder = try SeedFolder(["products.json": list(product), "lines.json": list(#""id": N, "# + line)])
        let files = ["products.json", "lines.json"].map { folder.folder.file($0) }
        let draft = try ManifestInference(dumps: files, base: folder.folder.url).run()
        let lines = draft.findings.map(\.description)
        #expect(lines.contains { $0.hasPrefix(finding) }, "\(lines)")
        try folder.folder.write(draft.text, to: "seed.json")
        #expect(try folder.build().unresolved.isEmpty)
    }

    @Test func `many values are sampled, all identities are compared, and the findings say so`() throws {
        let folder = try TemporaryDirectory()
        let count = 70_000
        let users = (0..<count).map { #"{"id":\#($0 * 3 + 1_000_000)}"# }.joined(separator: "\n")
        let tasks = (0..<count).map { #"{"user_id":\#($0 * 3 + 1_000_000),"owner_id":\#($0)}"# }.joined(separator: "\n")
        try folder.write(users, to: "users.ndjson")
        try folder.write(tasks, to: "tasks.ndjson")
        let draft = try ManifestInference(dumps: ["users.ndjson", "tasks.ndjson"].map(folder.file)).run()
        let lines = draft.findings.map(\.description)
        #expect(lines.contains("User.id identity: 70000 of 70000 distinct, never null"))
        let link = lines.first { $0.hasPrefix("Task.user -> User by userID: name matches, ") }
        #expect(link?.hasSuffix(" values found in User.id (1 of 4 values was sampled)") == true, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("rejected: Task.ownerID may refer to User: ") })
    }
}
