import Foundation
import ObjectMapping
import ObjectStore
import Seeder
import TestSupport
import Testing

@Suite("Dumps in other formats than JSON") struct FormatTests {
    /// Rows of values below a row of names.
    struct RowFormat: PayloadFormat {
        struct RowError: Error { let row: String }
        var mediaTypes: [String] { ["text/x-rows"] }
        var pathExtensions: [String] { ["rows"] }

        func decode(_ data: Data) throws -> JSON {
            let rows = String(decoding: data, as: UTF8.self).split(separator: "\n").map { $0.split(separator: ",") }
            let names = rows.first ?? []
            return .array(
                try rows.dropFirst().map { row in
                    guard row.count == names.count else { throw RowError(row: row.joined(separator: ",")) }
                    return .object(
                        JSONObject(
                            zip(names, row).map { name, value in
                                (key: String(name), value: Int64(value).map { .integer($0) } ?? .string(String(value)))
                            }))
                })
        }

        func encode(_ value: JSON, root: String?) throws -> Data { throw RowError(row: "") }
    }

    private static let rows = "id,name\n1,x\n2,y\n"

    private func folder(_ file: String, _ text: String, _ members: String = "") throws -> SeedFolder {
        let source = #"{ "file": "\#(file)", "entity": "Task"\#(members) }"#
        return try SeedFolder([file: text, "seed.json": taskManifest(sources: source)])
    }

    private func register(_ options: inout SeedOptions) { options.formats.register(RowFormat()) }

    @Test(arguments: [
        ("tasks.rows", ""), ("tasks.ROWS", ""), ("tasks.txt", #", "format": "rows""#),
        ("tasks", #", "format": "text/x-rows""#), ("a.b/tasks.json", #", "format": "rows""#),
    ])
    func `a dump is decoded by its format or its extension`(_ file: String, _ members: String) throws {
        let folder = try folder(file, Self.rows, members)
        try folder.build(register)
        #expect(try folder.rows("SELECT * FROM Task") == ["1, 1, 'x'", "2, 2, 'y'"])
        let seeder = try ObjectSeeder(
            manifest: folder.folder.file("seed.json"), output: folder.output,
            options: {
                var options = SeedOptions()
                register(&options)
                return options
            }())
        #expect(try seeder.check().sources.map(\.kept) == [2])
    }

    @Test func `a compressed dump has the format of the extension before .gz`() throws {
        let folder = try folder("tasks.rows.gz", "")
        try folder.folder.write(gzipMember(Data(Self.rows.utf8)), to: "tasks.rows.gz")
        try folder.build(register)
        #expect(try folder.rows("SELECT * FROM Task") == ["1, 1, 'x'", "2, 2, 'y'"])
    }

    @Test func `a format in code overrides the extension`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.rows, to: "tasks.rows")
        try folder.write(#"[{"id":3,"name":"z"}]"#, to: "more.rows")
        let model = try ObjectModel(entities: [
            EntityDescription(
                "Task", identifiedBy: ["id"],
                attributes: [
                    AttributeDescription("id", AttributeType(.integer)),
                    AttributeDescription("name", AttributeType(.string)),
                ])
        ])
        var options = SeedOptions()
        register(&options)
        var seeder = ObjectSeeder(model: model, output: folder.file("out.sqlite"), options: options)
        try seeder.seed(from: folder.file("tasks.rows"), with: "Task")
        try seeder.seed(from: folder.file("more.rows"), with: "Task", format: JSONFormat())
        #expect(try seeder.finish().entities.map(\.rows) == [3])
        let error = #expect(throws: SeedError.self) {
            try seeder.seed(from: folder.file("tasks.rows"), with: "Task", each: .line)
        }
        #expect(error?.kind == .badData)
    }

    @Test func `an element is reported with its path, and without a position`() throws {
        let folder = try folder("tasks.rows", "id,name\n1,x\ny,y\n")
        let (kind, lines) = try #require(try folder.buildError(register))
        #expect(kind == .badData)
        #expect(lines.count == 1 && lines[0].hasPrefix("tasks.rows $[1].id: expected an integer, found a string"))
        let report = try folder.build { options in
            register(&options)
            options.onError = .skip
        }
        #expect(report.sources.map(\.rejected) == [1])
        let rejected = try JSON(folder.folder.data(of: "out.sqlite.rejects.ndjson"))
        #expect(rejected["line"].int == 0 && rejected["path"].string == "$[1]")
        #expect(rejected["element"].text == #"{"id":"y","name":"y"}"#)
    }

    @Test func `a dump that its format cannot decode is bad data`() throws {
        let folder = try folder("tasks.rows", "id,name\n1\n")
        let (kind, lines) = try #require(try folder.buildError(register))
        #expect(kind == .badData)
        #expect(lines == ["tasks.rows:1:1 $: expected text/x-rows, found RowError"])
    }

    @Test func `an unknown format is a problem of the manifest, and the known ones are named`() throws {
        let folder = try folder("tasks.rows", Self.rows, #", "format": "rowz""#)
        let (kind, lines) = try #require(try folder.buildError(register))
        #expect(kind == .badData)
        #expect(lines.count == 1 && lines[0].hasSuffix("unknown format 'rowz'; did you mean 'rows'?"))
        let result = try folder.run("check", "seed.json")
        #expect(result.status == 65)
        #expect((result.output + result.errors).contains("unknown format 'rowz'; known: json"))
        // Model classes do not depend on the formats of dumps.
        #expect(try folder.run("models", "seed.json").status == 0)
    }

    @Test func `another format has no lines`() throws {
        let folder = try folder("tasks.rows", Self.rows, #", "each": "line""#)
        let (kind, lines) = try #require(try folder.buildError(register))
        #expect(kind == .badData)
        #expect(lines[0].hasSuffix("a file with one element per line is JSON, not another format"))
    }

    @Test func `an inferred manifest has the elements of another format`() throws {
        let folder = try folder("tasks.rows", Self.rows)
        var inference = ManifestInference(dumps: [folder.folder.file("tasks.rows")], base: folder.folder.url)
        inference.formats.register(RowFormat())
        let draft = try inference.run()
        let manifest = try JSON(draft.text)
        #expect(manifest["sources"][0]["file"].string == "tasks.rows")
        #expect(manifest["model"]["Task"]["attributes"].object?.keys == ["id", "name"])
    }
}
