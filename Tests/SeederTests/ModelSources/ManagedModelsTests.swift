import Foundation
import ObjectStore
import Seeder
import TestSupport
import Testing

/// Generated managed classes are compiled, open the database of their manifest, and read its dumps.
@Suite struct ManagedModelsTests {
    typealias Sample = CompiledModelsTests.Sample

    @Test(arguments: CompiledModelsTests.samples)
    func `managed classes open the database of their manifest`(_ sample: Sample) async throws {
        let folder = try TemporaryDirectory()
        let seed = try Self.build(sample, in: folder)
        let comparisons = sample.kinds.contains(.managed) ? sample.comparisons : []
        try folder.write(
            """
            import Foundation
            import ObjectMapping
            import ObjectStore

            \(try lists(of: sample, in: folder))

            let (file, seed) = (URL(filePath: "store.sqlite"), URL(filePath: "seed.sqlite"))
            let store = try await ManagedObjectStore.open(at: file, model: .seed, seed: seed)
            let dumps = Lists(context: store.mainContext)
            dumps.printCounts()
            func text(_ value: Any?) -> Swift.String { value.map { "\\($0)" } ?? "-" }
            \(comparisons.map(\.swift).joined(separator: "\nprint()\n").replacing("{s}", with: "").replacing("(in: dumps.session)", with: ""))

            """, to: "main.swift")
        let result = try await Self.run(sample, in: folder)
        #expect(result.errors.isEmpty)
        let counts = try seed.model.entities.map { "\(try seed.count(of: $0.name))\n" }.joined()
        let expected = try comparisons.map { try seed.text(of: $0.sql) }
        #expect(result.output == counts + expected.joined(separator: "\n"))
    }

    @Test(arguments: [CompiledModelsTests.tracker] + (IsoCodes.folder == nil ? [] : [CompiledModelsTests.isoCodes]))
    func `managed classes read the dumps of their manifest, and import the rows of its seed`(_ sample: Sample)
        async throws
    {
        let folder = try TemporaryDirectory()
        let seed = try Self.build(sample, in: folder)
        let manifest = try JSONSerialization.jsonObject(
            with: Data(manifestText(sample.folder.appending(path: "seed.json"), for: .managed).utf8))
        let sources = (manifest as? [String: Any])?["sources"] as? [[String: String]] ?? []
        let reading = sources.map { source in
            let (file, entity, path) = (source["file"] ?? "", source["entity"] ?? "", source["at"] ?? "")
            return #"_ = try context.map(bytes("\#(file)"), with: \#(entity).mapping, at: "\#(path)")"#
        }
        let importing = sources.enumerated().map { index, source in
            let (file, entity, path) = (source["file"] ?? "", source["entity"] ?? "", source["at"] ?? "")
            let mapping = sample.rowMappings[entity].map { _ in "rows" } ?? "mapping"
            return """
                func import\(index)(_ store: ManagedObjectStore) async throws -> ImportReport {
                    try await store.importJSON(bytes("\(file)"), with: \(entity).\(mapping), at: "\(path)")
                }
                """
        }
        let orders = ["forwards": Array(sources.indices), "backwards": Array(sources.indices.reversed())]
        let imports = orders.map { name, order in
            """
            do {
                let store = try ManagedObjectStore(at: URL(filePath: "\(name).sqlite"), model: .seed)
                \(order.map { "_ = try await import\($0)(store)" }.joined(separator: "; "))
                for report in [\(order.map { "try await import\($0)(store)" }.joined(separator: ", "))] {
                    for entity in report.entities where entity.inserted + entity.updated + entity.connected > 0 {
                        print(entity)
                    }
                }
                try store.checkpoint()
            }
            """
        }
        try folder.write(
            """
            import Foundation
            import ObjectMapping
            import ObjectStore
            func bytes(_ file: String) throws -> Data {
                try Data(contentsOf: URL(filePath: CommandLine.arguments[1]).appending(path: file))
            }
            let store = try ManagedObjectStore(at: URL(filePath: "store.sqlite"), model: .seed)
            let context = store.mainContext
            \(reading.joined(separator: "\n"))
            try context.save()
            try store.checkpoint()
            \(importing.joined(separator: "\n"))
            \(imports.joined(separator: "\n"))
            \(sample.rowMappings.values.joined(separator: "\n"))

            """, to: "main.swift")
        let result = try await Self.run(sample, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let store = try SeedDatabase(at: folder.file("store.sqlite"))
        for comparison in sample.comparisons {
            #expect(try store.text(of: comparison.sql) == seed.text(of: comparison.sql))
        }
        // The second imports change nothing.
        #expect(result.output == "")
        func dump(_ file: String) async throws -> String {
            try await runShell(
                """
                sqlite3 "\(file)" .dump | grep '^INSERT' | grep -v '^INSERT INTO _mappingkit VALUES' | LC_ALL=C sort
                """, directory: folder.url
            ).output
        }
        let rows = try await dump("seed.sqlite")
        #expect(!rows.isEmpty)
        for name in orders.keys { #expect(try await dump("\(name).sqlite") == rows) }
    }

    @Test func `names that are invalid for managed classes are reported`() throws {
        let folder = try SeedFolder([
            "seed.json": """
            { "model": { "Task": {
                "identifiedBy": "id",
                "attributes": {
                  "id": { "type": "integer" },
                  "managed": { "type": "boolean" }, "hashValue": { "type": "integer" }, "+-": { "type": "integer" },
                  "a`b": { "type": "string" }, "$0": { "type": "string" }, "a\\tb": { "type": "string" },
                  "name": { "type": "string" }, "_name": { "type": "string" }
                },
                "relationships": { "mapping": { "to": "Task", "from": "mapping" } } } },
              "sources": [{ "file": "tasks.json", "entity": "Task" }] }
            """
        ])
        let result = try folder.run("models", "seed.json", "--kind", "managed")
        #expect(result.status == 65)
        #expect(result.output.isEmpty)
        let advice = "choose another name, and name the key of the dumps in 'from'"
        #expect(
            result.errors.split(separator: "\n").filter { $0.hasPrefix("seed.json") } == [
                "seed.json:5:7 $.model.Task.attributes.managed: every managed class already has a member 'managed'; \(advice)",
                "seed.json:5:41 $.model.Task.attributes.hashValue: every managed class already has a member 'hashValue'; \(advice)",
                "seed.json:5:77 $.model.Task.attributes[\"+-\"]: '+-' cannot be the name of a Swift property; \(advice)",
                "seed.json:6:7 $.model.Task.attributes[\"a`b\"]: 'a`b' cannot be the name of a Swift property; \(advice)",
                "seed.json:6:36 $.model.Task.attributes[\"$0\"]: '$0' cannot be the name of a Swift property; \(advice)",
                "seed.json:6:64 $.model.Task.attributes[\"a\\tb\"]: 'a b' cannot be the name of a Swift property; \(advice)",
                "seed.json:7:37 $.model.Task.attributes._name: '_name' is the storage of the property 'name'; \(advice)",
                "seed.json:9:24 $.model.Task.relationships.mapping: every managed class already has a member 'mapping'; choose another name",
            ])
        // Other kinds have other names.
        #expect(try folder.run("models", "seed.json").status == 0)
    }

    @Test func `an ordered relationship has the order of the dumps`() async throws {
        let folder = try TemporaryDirectory()
        let id = #""identifiedBy": "id", "attributes": { "id": { "type": "integer" } }"#
        try folder.write(
            """
            { "model": {
                "List": { \(id), "relationships": {
                    "steps": { "to": "Step", "many": true, "ordered": true, "from": "steps", "inverse": "list" },
                    "marks": { "to": "Mark", "many": true, "ordered": true, "from": "marks" } } },
                "Step": { \(id), "relationships": { "list": { "to": "List" } } },
                "Mark": { \(id) } },
              "sources": [{ "file": "steps.json", "entity": "Step" }, { "file": "lists.json", "entity": "List" }] }
            """, to: "seed.json")
        try folder.write(#"[{ "id": 1 }, { "id": 2 }, { "id": 3 }]"#, to: "steps.json")
        let steps = #""steps": [{ "id": 3 }, { "id": 1 }, { "id": 2 }]"#
        try folder.write(
            #"[{ "id": 0, "marks": [{ "id": 7 }] }, { "id": 1, \#(steps), "marks": [{ "id": 8 }, { "id": 7 }] }]"#,
            to: "lists.json")
        let sample = Sample(folder: folder.url, comparisons: [])
        _ = try Self.build(sample, in: folder)
        let list = try String(contentsOf: folder.file("List.swift"), encoding: .utf8)
        #expect(list.contains("    @ToMany(inverse: \\Step.list, isOrdered: true) var steps: [Step]\n"))
        #expect(list.contains("    @ToMany(isOrdered: true) var marks: [Mark]\n"))
        try folder.write(
            """
            import Foundation
            import ObjectStore
            let (file, seed) = (URL(filePath: "store.sqlite"), URL(filePath: "seed.sqlite"))
            let context = try await ManagedObjectStore.open(at: file, model: .seed, seed: seed).mainContext
            let list = try context.find(List.self, 1)
            print(list?.steps.map(\\.id) ?? [], list?.marks.map(\\.id) ?? [])

            """, to: "main.swift")
        let result = try await Self.run(sample, in: folder)
        #expect(result.errors.isEmpty)
        #expect(result.output == "[3, 1, 2] [8, 7]\n")
    }

    @Test func `entities and attributes may have the names of types`() async throws {
        let folder = try TemporaryDirectory()
        let names = [
            "ManagedObject", "Stored", "ToOne", "ToMany", "ObjectModel", "ModelError", "ObjectStore", "Access", "Task",
            "Mappable", "Relationship", "Connection", "Attribute", "Mapping", "Conversion", "Int", "Decimal", "JSON",
            "String",
        ]
        let attributes = names.map { "\"\($0)\": { \"type\": \"integer\", \"optional\": false }" }
        let entities = names.map { name in
            """
            "\(name)": {
              "identifiedBy": "id",
              "attributes": {
                "id": { "type": "integer" }, "next": { "type": "integer" }, "Date": { "type": "date", "optional": false },
                "cut": { "from": "Date", "match": "^(....)", "type": "integer" },
                \(attributes.joined(separator: ",\n"))
              },
              "relationships": {
                "all": { "to": "\(name)", "many": true, "inverse": "one" }, "one": { "to": "\(name)", "by": "next" }
              } }
            """
        }
        let sources = names.map { "{ \"file\": \"all.json\", \"entity\": \"\($0)\" }" }.joined(separator: ", ")
        try folder.write(
            "{ \"model\": { \(entities.joined(separator: ",\n")) }, \"sources\": [\(sources)] }", to: "seed.json")
        let values = (["id", "next"] + names).map { "\"\($0)\": 7" }.joined(separator: ", ")
        try folder.write("[{ \"Date\": \"2026-11-21T07:23:00Z\", \(values) }]", to: "all.json")
        let sample = Sample(folder: folder.url, comparisons: [])
        _ = try Self.build(sample, in: folder)
        try folder.write(
            """
            import Foundation
            import ObjectMapping
            import ObjectStore
            let (file, seed) = (URL(filePath: "store.sqlite"), URL(filePath: "seed.sqlite"))
            let context = try await ManagedObjectStore.open(at: file, model: .seed, seed: seed).mainContext
            let object = try context.fetch(StoredModel.all)[0]
            print(object.ToOne, object.one === object, object.all.count)
            let text = try Swift.String(contentsOf: URL(filePath: "all.json"), encoding: .utf8)
            print(try context.map(text, with: StringModel.mapping)[0].JSON)

            """, to: "main.swift")
        let result = try await Self.run(sample, in: folder)
        #expect(result.errors.isEmpty)
        #expect(result.output == "7 true 1\n7\n")
    }

    @Test(arguments: [
        (
            #""children": { "to": "Task", "many": true, "from": "children" }"#,
            ["    @ToMany var children: [Task]", #"        Relationship("children", \.children)"#]
        ),
        (
            #""next": { "to": "Task", "by": "nextID" }, "previous": { "to": "Task", "inverse": "next" }"#,
            [
                #"    @ToOne(inverse: \Task.previous) var next: Task?"#, "    @ToOne var previous: Task?",
                #"        Connection(\.next, by: \.nextID)"#,
            ]
        ),
        (
            #""next": { "to": "Task", "by": "nextID", "inverse": "all" }, "all": { "to": "Task", "many": true }"#,
            ["    @ToOne var next: Task?", #"    @ToMany(inverse: \Task.next) var all: [Task]"#]
        ),
        (
            #""friends": { "to": "Task", "by": "friendIDs", "many": true }, "fans": { "to": "Task", "many": true, "inverse": "friends" }"#,
            [#"    @ToMany(inverse: \Task.fans) var friends: [Task]"#, "    @ToMany var fans: [Task]"]
        ),
    ])
    func `only one side of a relationship declares the inverse`(relationships: String, lines: [String]) throws {
        let attributes = #""nextID": { "type": "integer" }, "friendIDs": { "type": "[integer]" }"#
        let folder = try SeedFolder(["seed.json": taskManifest(attributes: attributes, relationships: relationships)])
        let text = try ModelSources(manifest: folder.folder.file("seed.json"), kind: .managed).text
        let written = text.split(separator: "\n").map(String.init)
        for line in lines { #expect(written.contains(line), "\(text)") }
    }

    @Test func `an entity without an identity becomes a class without one`() throws {
        let folder = try SeedFolder([
            "seed.json": """
            { "model": { "Note": { "attributes": { "text": { "type": "string" }, "link": { "type": "url", "optional": false } } } },
              "sources": [{ "file": "notes.json", "entity": "Note" }] }
            """
        ])
        #expect(
            try ModelSources(manifest: folder.folder.file("seed.json"), kind: .managed).text == """
                // Written for seed.json by: seed-db models seed.json --kind managed

                import Foundation
                import ObjectMapping
                import ObjectStore

                final class Note: ManagedObject, Mappable {
                    @Stored var text: String? = nil
                    /// Required; optional only because URL has no default value.
                    @Stored(.required) var link: URL? = nil

                    static let mapping = Mapping(Note.self) {
                        Attribute("text", \\.text)
                        Attribute("link", \\.link).required.whenNull(.fail)
                    }
                }

                extension ObjectModel {
                    /// The model of the seed database of seed.json, for `ManagedObjectStore.open(at:model:seed:)`.
                    static var seed: ObjectModel {
                        get throws(ModelError) {
                            try ObjectModel(Note.self)
                        }
                    }
                }

                """)
    }

    // MARK: Programs

    /// Builds the database of a sample as `seed.sqlite`, and writes its managed classes.
    static func build(_ sample: Sample, in folder: TemporaryDirectory) throws -> SeedDatabase {
        let manifest = try folder.write(
            manifestText(sample.folder.appending(path: "seed.json"), for: .managed), to: "seed.json")
        let dumps = sample.dumps ?? sample.folder
        let built = try runExecutable(
            named: "seed-db",
            arguments: [
                "build", "--quiet", "--base", dumps.path, manifest.path, "-o", folder.file("seed.sqlite").path,
            ], input: Data((sample.standardInput ?? "").utf8))
        try #require(built.status == 0, "\(built.errors)")
        try ModelSources(manifest: manifest, kind: .managed).write(to: folder.url)
        return try SeedDatabase(at: folder.file("seed.sqlite"))
    }

    /// A type that fetches all objects, under the names of plain models in `Dumps`.
    private func lists(of sample: Sample, in folder: TemporaryDirectory) throws -> String {
        let manifest = folder.file("seed.json")
        let dumps = try ModelSources(manifest: manifest).files.first { $0.name == "\(sample.dumpsType).swift" }
        let lists = (dumps?.text ?? "").matches(of: #/var (\w+): \[(\w+)\] =/#).map { match in
            "    var \(match.1): [\(match.2)] { (try? context.fetch(\(match.2).all)) ?? [] }"
        }
        let classes = try ModelSources(manifest: manifest, kind: .managed).files.map { $0.name.dropLast(6) }
        let counts = classes.filter { !$0.contains("+") }.map { "        printCount(of: \($0).self)" }
        return """
            @MainActor struct Lists {
                let context: ObjectContext
            \(lists.joined(separator: "\n"))
                func printCounts() {
            \(counts.joined(separator: "\n"))
                }
                /// Prints the number of readable objects of a class.
                func printCount<Object: ManagedObject>(of type: Object.Type) {
                    let objects = (try? context.fetch(Object.all)) ?? []
                    print(objects.count { $0.managed.snapshot().id == $0.managed.id && $0.managed.error == nil })
                }
            }
            """
    }

    static func run(_ sample: Sample, in folder: TemporaryDirectory) async throws -> ProcessResult {
        let compiled = try await compileProgram("models", of: "*.swift", in: folder)
        try #require(compiled.status == 0, "\(compiled.errors)")
        let dumps = sample.dumps ?? sample.folder
        return try RunningProcess(folder.file("models"), arguments: [dumps.path], directory: folder.url).wait()
    }
}

extension SeedDatabase {
    /// The values of a query of one column, one per line.
    fileprivate func text(of sql: String) throws -> String {
        try rows(sql: sql).map { ($0.values[0].text ?? $0.values[0].description) + "\n" }.joined()
    }
}
