import Foundation
import Seeder
import TestSupport
import Testing

/// A draft of Debian's package iso-codes, compared with the manual manifest.
@Suite(.enabled(if: IsoCodes.folder != nil, "iso-codes is not installed")) struct InferredIsoCodesTests {
    private static let standards = ["15924", "3166-1", "3166-2", "3166-3", "4217", "639-2", "639-3", "639-5"]

    private func build(_ manifest: URL, _ output: URL) throws -> SeedReport {
        var options = SeedOptions()
        options.base = IsoCodes.folder
        return try ObjectSeeder(manifest: manifest, output: output, options: options).finish()
    }

    @Test func `the draft builds unchanged, with all objects and the countries of subdivisions`() throws {
        let dumps = try #require(IsoCodes.folder)
        let folder = try TemporaryDirectory()
        let files = Self.standards.map { dumps.appending(path: "iso_\($0).json") }
        let draft = try ManifestInference(dumps: files, base: dumps).run()
        try folder.write(draft.text, to: "seed.json")
        let report = try build(folder.file("seed.json"), folder.file("draft.sqlite"))
        for (standard, entity) in zip(Self.standards, report.entities) {
            #expect(entity.rows == (try IsoCodes.objects(standard).count), "\(entity.name)")
            #expect(entity.merged == 0)
        }
        #expect(report.unresolved == [])
        let link = draft.findings.map(\.description).first { $0.hasPrefix("ISO3166_2.iso3166_1 -> ISO3166_1") }
        #expect(link?.contains("the part before '-' of code") == true)

        _ = try build(resource("Examples/Data/iso-codes/seed.json"), folder.file("hand.sqlite"))
        let drafted = try rows(
            "SELECT s.code, c.alpha2 FROM ISO3166_2 s JOIN ISO3166_1 c ON c._id = s.iso3166_1 ORDER BY s.code",
            in: folder.file("draft.sqlite"))
        let written = try rows(
            "SELECT s.code, c.alpha2 FROM Subdivision s JOIN Country c ON c._id = s.country ORDER BY s.code",
            in: folder.file("hand.sqlite"))
        #expect(drafted == written)
        #expect(drafted.count > 4000)
    }
}
