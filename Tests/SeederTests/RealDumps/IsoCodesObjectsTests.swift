import Foundation
import TestSupport
import Testing

/// The seed of the dumps of `iso-codes`, edited by the managed classes of its manifest.
@Suite(.enabled(if: IsoCodes.folder != nil)) struct IsoCodesObjectsTests {
    @Test func `a program edits, relates, queries and saves objects of the seed, and sqlite3 reads them`() async throws
    {
        let folder = try TemporaryDirectory()
        _ = try ManagedModelsTests.build(CompiledModelsTests.isoCodes, in: folder)
        try folder.write(Self.program, to: "main.swift")
        let result = try await ManagedModelsTests.run(CompiledModelsTests.isoCodes, in: folder)
        #expect(result.errors.isEmpty)
        #expect(
            result.output == """
                ["Baden-Württemberg", "Bayern", "Berlin"]
                6 countries with more than 100 subdivisions
                ["German Democratic Republic"]
                17 subdivisions of Germany, one of Schleswig-Holstein: ["Heligoland"]
                Pellworm: Germany, Schleswig-Holstein

                """)
        let rows = try await runShell(
            """
            sqlite3 app.sqlite "PRAGMA integrity_check; PRAGMA foreign_key_check;
                SELECT s.name, c.commonName, p.code FROM Subdivision s JOIN Country c ON c._id = s.country
                    JOIN Subdivision p ON p._id = s.parent WHERE s.type = 'Island' AND c.alpha2 = 'DE' ORDER BY s.name;
                SELECT k.alpha3 FROM Currency k JOIN Country c ON c._id = k.country WHERE c.alpha2 = 'DE';
                SELECT count(*) FROM Script WHERE alpha4 = 'Zzzz'"
            """, directory: folder.url)
        #expect(rows.output == "ok\nHeligoland|Deutschland|DE-SH\nPellworm|Deutschland|DE-SH\nEUR\n0\n")
    }

    private static let program = #"""
        import Foundation
        import ObjectMapping
        import ObjectStore

        let (file, seed) = (URL(filePath: "app.sqlite"), URL(filePath: "seed.sqlite"))
        let store = try await ManagedObjectStore.open(at: file, model: .seed, seed: seed)
        try await store.perform { context in
            // Queries follow relationships.
            let states = Subdivision.where { $0.country.alpha2 == "DE" && $0.type == "Land" }.sorted(by: \.name)
            print(try context.fetch(states.limit(3)).map(\.name))
            let large = try context.count(Country.where { $0.subdivisions.count > 100 })
            print(large, "countries with more than 100 subdivisions")
            print(try context.fetch(FormerCountry.where { $0.successor.name == "Germany" }).map(\.name))

            guard let germany = try context.find(Country.self, "DE") else { return }
            germany.commonName = "Deutschland"
            try context.find(Currency.self, "EUR")?.country = germany

            let island = Subdivision(in: context)
            (island.code, island.name, island.type, island.countryCode) = ("DE-HEL", "Heligoland", "Island", "DE")
            island.country = germany
            island.parent = try context.find(Subdivision.self, "DE-SH")
            let parts = island.parent?.parts.map(\.name) ?? []
            print(germany.subdivisions.count, "subdivisions of Germany, one of Schleswig-Holstein:", parts)

            // The mapping of the class reads more of the dumps' JSON.
            let text = #"[{ "code": "DE-PEL", "name": "Pellworm", "type": "Island", "parent": "SH" }]"#
            let read = try context.map(text, with: Subdivision.mapping)[0]
            print("\(read.name): \(read.country?.name ?? "-"), \(read.parent?.name ?? "-")")

            if let unknown = try context.find(Script.self, "Zzzz") { context.delete(unknown) }
            try context.save()
        }

        """#
}
