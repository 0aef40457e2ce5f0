import Foundation
import ObjectStore
import Seeder
import TestSupport
import Testing

/// Generated models are compiled, read the dumps of their manifest, and have the content of the seed database.
@Suite struct CompiledModelsTests {
    /// A manifest, and the comparisons of its models with the database.
    struct Sample: Sendable, CustomTestStringConvertible {
        /// The folder of the manifest and of its dumps, unless `dumps` names another one.
        let folder: URL
        var dumps: URL?
        /// The standard input.
        var standardInput: String?
        var dumpsType = "Dumps"
        /// The kinds of models that have the same content as the database.
        var kinds = ModelSources.Kind.allCases
        let comparisons: [Comparison]
        /// Mappings named `rows`, by the entities whose own mappings have no rows.
        var rowMappings: [String: String] = [:]
        var testDescription: String { folder.lastPathComponent }
    }

    /// A query of one column, and the Swift that prints the same: `{s}` follows a relationship that is not nested.
    struct Comparison: Sendable {
        let sql: String
        let swift: String
    }

    static let samples = [tracker, railway, harbour, oddNames, warehouse] + (IsoCodes.folder == nil ? [] : [isoCodes])

    @Test(arguments: samples, [ModelSources.Kind.classes, .structs])
    func `models of a manifest have the content of its database`(_ sample: Sample, _ kind: ModelSources.Kind)
        async throws
    {
        let folder = try TemporaryDirectory()
        let manifest = sample.folder.appending(path: "seed.json")
        let dumps = sample.dumps ?? sample.folder
        let input = Data((sample.standardInput ?? "").utf8)
        let built = try runExecutable(
            named: "seed-db",
            arguments: [
                "build", "--quiet", "--base", dumps.path, manifest.path, "-o", folder.file("seed.sqlite").path,
            ],
            input: input)
        try #require(built.status == 0, "\(built.errors)")

        try ModelSources(manifest: manifest, kind: kind).write(to: folder.url)
        let argument =
            sample.standardInput == nil ? "" : ", standardInput: FileHandle.standardInput.readDataToEndOfFile()"
        let lines = sample.comparisons.map(\.swift).joined(separator: "\nprint()\n")
            .replacing("{s}", with: kind == .structs ? "(in: dumps.session)" : "")
        try folder.write(
            """
            import Foundation
            let dumps = try \(sample.dumpsType)(in: URL(filePath: CommandLine.arguments[1])\(argument))
            func text(_ value: Any?) -> Swift.String { value.map { "\\($0)" } ?? "-" }
            \(lines)

            """, to: "main.swift")
        let compiled = try await compileProgram("models", of: "*.swift", in: folder)
        try #require(compiled.status == 0, "\(compiled.errors)")
        let result = try RunningProcess(folder.file("models"), arguments: [dumps.path], input: input).wait()
        #expect(result.errors.isEmpty)
        guard sample.kinds.contains(kind) else { return }

        let seed = try SeedDatabase(at: folder.file("seed.sqlite"))
        let expected = try sample.comparisons.map { comparison in
            try seed.rows(sql: comparison.sql).map { ($0.values[0].text ?? $0.values[0].description) + "\n" }.joined()
        }
        #expect(result.output == expected.joined(separator: "\n"))
    }

    /// From dumps to models that read them, without an edit of the draft.
    @Test(arguments: drafts, ModelSources.Kind.allCases)
    func `models of a draft read its dumps`(
        _ dumps: [URL], _ kind: ModelSources.Kind
    ) async throws {
        let folder = try TemporaryDirectory()
        for dump in dumps { try folder.write(Data(contentsOf: dump), to: dump.lastPathComponent) }
        let drafted = try await runShell(
            """
            seed-db infer --quiet *.json -o seed.json && seed-db build --quiet seed.json -o seed.sqlite &&
                seed-db models seed.json --kind \(kind) -o .
            """, directory: folder.url)
        try #require(drafted.status == 0, "\(drafted.errors)")
        let program =
            kind == .managed
            ? """
            import ObjectStore
            let seed = URL(filePath: "seed.sqlite")
            let store = try await ManagedObjectStore.open(at: URL(filePath: "store.sqlite"), model: .seed, seed: seed)
            let classes = try ObjectModel.seed.entities.map(\\.name)
            for name in classes { print(try store.rows(sql: "SELECT count(*) AS n FROM \\(name)")[0]["n"] ?? .null) }
            """
            : """
            let dumps = try Dumps(in: URL(filePath: "."))
            for list in Mirror(reflecting: dumps).children.compactMap({ $0.value as? [Any] }) { print(list.count) }
            """
        try folder.write("import Foundation\n\(program)\n", to: "main.swift")
        let compiled = try await compileProgram("models", of: "*.swift", in: folder)
        try #require(compiled.status == 0, "\(compiled.errors)")
        let result = try RunningProcess(folder.file("models"), directory: folder.url).wait()
        #expect(result.errors.isEmpty)
        let seed = try SeedDatabase(at: folder.file("seed.sqlite"))
        let counts = try seed.model.entities.map { try seed.count(of: $0.name) }
        #expect(counts.count == dumps.count)
        #expect(result.output == counts.map { "\($0)\n" }.joined())
    }

    static let drafts =
        [["users", "projects", "tasks"].map { resource("Examples/Data/tracker/\($0).json") }]
        + (IsoCodes.folder.map { folder in
            [["3166-1", "3166-2", "3166-3", "4217", "639-3", "15924"].map { folder.appending(path: "iso_\($0).json") }]
        } ?? [])

    /// `seed-db models` writes the result of `ModelSources`, and swift-format accepts it.
    @Test(arguments: samples, ModelSources.Kind.allCases)
    func `models are formatted`(_ sample: Sample, _ kind: ModelSources.Kind) async throws {
        let folder = try TemporaryDirectory()
        let manifest = try folder.write(
            manifestText(sample.folder.appending(path: "seed.json"), for: kind), to: "seed.json"
        ).path
        try folder.write(try resourceData(".swift-format"), to: ".swift-format")
        let result = try await runShell(
            """
            seed-db models seed.json --kind \(kind) -o Models && seed-db models seed.json --kind \(kind) >all.swift &&
                swift format lint -s Models/*.swift all.swift
            """, directory: folder.url)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let sources = try ModelSources(manifest: URL(filePath: manifest), kind: kind)
        #expect(try String(decoding: folder.data(of: "all.swift"), as: UTF8.self) == sources.text)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("Models").path).sorted()
                == sources.files.map(\.name).sorted())
    }
}
