import Foundation
import ObjectStore
import TestSupport
import Testing

/// Seeds with a full-text index.
@Suite struct SearchableSeedTests {
    private func folder(_ type: String = "string", _ name: String = "title") throws -> SeedFolder {
        try SeedFolder([
            "seed.json": """
            { "model": { "Memo": { "identifiedBy": "id", "attributes": {
                "id": { "type": "integer" }, "\(name)": { "type": "\(type)", "searchable": true } } } },
              "sources": [{ "file": "memos.json", "entity": "Memo" }] }
            """,
            "memos.json": #"[{"id": 2, "title": "Stairs to the attic"}, {"id": 1, "title": "Café"}, {"id": 3}]"#,
        ])
    }

    private func find(_ text: String, in folder: SeedFolder) throws -> [String] {
        try folder.rows(
            """
            SELECT "id" FROM "Memo" WHERE "_id" IN (SELECT rowid FROM "_mappingkit_Memo_search" \
            WHERE "_mappingkit_Memo_search" MATCH '\(text)')
            """)
    }

    @Test func `a seed has the index of its manifest, and is the same each time`() throws {
        let folder = try folder()
        try folder.build()
        #expect(try find("attic", in: folder) == ["2"])
        #expect(try find("cafe", in: folder) == ["1"])
        let first = try Data(contentsOf: folder.output)
        try folder.build()
        #expect(try Data(contentsOf: folder.output) == first)
        #expect(try SeedDatabase(at: folder.output).model.entity(named: "Memo")?.attributes[1].isSearchable == true)
    }

    @Test func `an update keeps the index`() throws {
        let folder = try folder()
        try folder.build()
        try folder.folder.write(#"[{"id": 1, "title": "Cellar"}, {"id": 4, "title": "Attic"}]"#, to: "memos.json")
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite", "--update", "--quiet")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try find("attic", in: folder) == ["2", "4"])
        #expect(try find("cafe", in: folder) == [])
    }

    @Test func `models declare it`() throws {
        let folder = try folder()
        let result = try folder.run("models", "seed.json", "--kind", "managed")
        #expect(result.output.contains("@Stored(.searchable) var title: String?"), "\(result.output)")
    }

    @Test func `other types and names of FTS5 are errors of the manifest`() throws {
        let wrongType = try folder("integer").run("check", "seed.json")
        #expect(wrongType.status == 65)
        #expect(wrongType.errors.contains("an attribute of type integer cannot be searchable; only strings are"))
        let wrongName = try folder("string", "Rank").run("check", "seed.json")
        #expect(wrongName.status == 65)
        #expect(wrongName.errors.contains("'Rank' cannot be searchable"))
    }
}
