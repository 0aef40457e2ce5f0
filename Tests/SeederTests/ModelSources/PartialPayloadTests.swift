import Foundation
import TestSupport
import Testing

/// Models of a draft write the JSON of its dump again, and read payloads with some of its keys.
@Suite struct PartialPayloadTests {
    private static let dump = """
        [{"id":1,"name":"Kettle","price":"19.90","seen_at":"1700000000","link":"https://example.com/a"},\
        {"id":2,"name":"Lamp","price":"4.50","seen_at":"1700000060","link":"https://example.com/b"}]
        """

    /// Runs a program with the models of a draft.
    private func output(of program: String, kind: String) async throws -> String {
        let folder = try TemporaryDirectory()
        try folder.write(Self.dump, to: "products.json")
        let drafted = try await runShell(
            """
            seed-db infer --quiet products.json -o seed.json && seed-db build --quiet seed.json -o seed.sqlite &&
                seed-db models seed.json --kind \(kind) -o .
            """, directory: folder.url)
        try #require(drafted.status == 0, "\(drafted.errors)")
        let imports = kind == "managed" ? "import ObjectStore\n" : ""
        let start =
            "import Foundation\nimport ObjectMapping\n\(imports)let dump = try Data(contentsOf: URL(filePath: \"products.json\"))\n"
        try folder.write(start + program, to: "main.swift")
        let compiled = try await compileProgram("models", of: "*.swift", in: folder)
        try #require(compiled.status == 0, "\(compiled.errors)")
        return try RunningProcess(folder.file("models"), directory: folder.url).wait().output
    }

    @Test(arguments: ["classes", "structs"])
    func `Models write the JSON of the dump, and are created from a part of it`(kind: String) async throws {
        let output = try await output(
            of: """
                let products = try Product.mapping.mapAll(dump)
                print(try String(decoding: Product.mapping.serialize(products), as: UTF8.self))
                var product = products[0]
                try Product.mapping.update(&product, from: #"{"id":1,"price":"21.00"}"#)
                print(try String(decoding: Product.mapping.serialize(product), as: UTF8.self))
                print(try Product.mapping.map(#"{"id":3,"price":"7"}"#).price)
                for text in [#"{"name":"Mug"}"#, #"{"id":1,"name":null}"#] {
                    do { _ = try Product.mapping.map(text) } catch { print(error) }
                }

                """, kind: kind)
        #expect(
            output == """
                \(Self.dump)
                {"id":1,"name":"Kettle","price":"21.00","seen_at":"1700000000","link":"https://example.com/a"}
                7
                1:1 $.id: expected the key 'id', found no such key (rule id -> Product.id)
                1:16 $.name: expected a string, found null (rule name -> Product.name)

                """)
    }

    @Test func `Managed objects write the JSON of the dump, and a part of it updates them`() async throws {
        let output = try await output(
            of: """
                let store = try await ManagedObjectStore.open(
                    at: URL(filePath: "store.sqlite"), model: .seed, seed: URL(filePath: "seed.sqlite"))
                func printAll() async throws {
                    let text: String = try await store.perform { context in
                        let products = try context.fetch(Product.all.sorted(by: \\.id))
                        return String(decoding: try Product.mapping.serialize(products), as: UTF8.self)
                    }
                    print(text)
                }
                try await printAll()
                print(try await store.importJSON(dump, with: Product.mapping).entities[0])
                _ = try await store.importJSON(Data(#"[{"id":1,"price":"21.00"}]"#.utf8), with: Product.mapping)
                try await printAll()
                try await store.perform { context in
                    _ = try context.map(Data(#"[{"id":2,"name":"Torch"}]"#.utf8), with: Product.mapping)
                    try context.save()
                }
                try await printAll()
                for text in [#"[{"id":1,"name":null}]"#, #"[{"id":4,"name":"Mug"}]"#] {
                    do { _ = try await store.importJSON(Data(text.utf8), with: Product.mapping) } catch { print(error) }
                }

                """, kind: "managed")
        let second = #"{"id":2,"name":"Lamp","price":"4.50","seen_at":"1700000060","link":"https://example.com/b"}"#
        let first = #"{"id":1,"name":"Kettle","price":"21.00","seen_at":"1700000000","link":"https://example.com/a"}"#
        #expect(
            output == """
                \(Self.dump)
                Entity(name: "Product", inserted: 0, updated: 0, unchanged: 2, deleted: 0, connected: 0, waiting: 0)
                [\(first),\(second)]
                [\(first),\(second.replacing("Lamp", with: "Torch"))]
                1:17 $[0].name: expected a string, found null (rule name -> Product.name) (0 elements were committed)
                1:2 $[0]: cannot import an object of Product: link is required (0 elements were committed)

                """)
    }
}
