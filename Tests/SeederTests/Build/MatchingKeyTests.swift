import Foundation
import ObjectMapping
import ObjectStore
import Seeder
import TestSupport
import Testing

private final class Product: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored(.unique) var sku: String? = nil
    @Stored var rack: String? = nil
    @Stored var spot: Int? = nil

    override class var indexes: [ObjectIndex] { [.unique("rack", "spot")] }

    static let mapping = Mapping(Product.self) {
        Attribute("id", \.id)
        Attribute("sku", \.sku)
        Attribute("rack", \.rack)
        Attribute("spot", \.spot)
    }
}

private final class Line: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var kind: String? = nil
    @Stored var productSKU: String? = nil
    @Stored var oldSKU: String? = nil
    @Stored var rack: String? = nil
    @Stored var spot: Int? = nil
    @Stored var skus: [String]? = nil
    @ToOne var product: Product?
    @ToOne var replaced: Product?
    @ToOne var stored: Product?
    @ToMany var parts: [Product]

    static let mapping = Mapping(Line.self) { Attribute("id", \.id) }
}

/// Relationships by unique attributes other than the identity: `"by": "productSKU", "matching": "sku"`.
@Suite struct MatchingKeyTests {
    private static let product = """
        "Product": {
            "identifiedBy": "id",
            "attributes": {
                "id": { "type": "integer" }, "sku": { "type": "string", "unique": true },
                "rack": { "type": "string" }, "spot": { "type": "integer" } },
            "indexes": [{ "attributes": ["rack", "spot"], "unique": true }] }
        """
    private static let manifest = """
        { "model": {
            "Line": {
                "identifiedBy": "id",
                "attributes": {
                    "id": { "type": "integer" }, "kind": { "type": "string" },
                    "productSKU": { "from": "sku", "type": "string" }, "oldSKU": { "from": "old", "type": "string" },
                    "rack": { "type": "string" }, "spot": { "type": "integer" }, "skus": { "type": "[string]" } },
                "relationships": {
                    "product": { "to": "Product", "by": "productSKU", "matching": "sku" },
                    "replaced": { "to": "Product", "by": ["oldSKU", "productSKU"], "matching": "sku", "any": true,
                        "when": { "kind": "new" } },
                    "stored": { "to": "Product", "by": ["spot", "rack"], "matching": ["spot", "rack"] },
                    "parts": { "to": "Product", "by": "skus", "matching": "sku", "many": true } } },
            \(product) },
          "sources": [SOURCES] }
        """
    private static let sources = [
        #"{ "file": "lines.json", "entity": "Line" }"#, #"{ "file": "products.json", "entity": "Product" }"#,
    ]
    private static let lines = """
        [{"id":1,"sku":"A","rack":"R","spot":2,"skus":["B","A","X"]},
         {"id":2,"sku":"X","kind":"new","old":"A","rack":"R","spot":3},
         {"id":3,"sku":"B","kind":"new","old":"Y","skus":[]},
         {"id":4,"sku":"B","kind":"old","old":"A"},
         {"id":5,"sku":null}]
        """
    private static let products = #"[{"id":7,"sku":"A"},{"id":8,"sku":"B","rack":"R","spot":2},{"id":9}]"#

    private static func folder(reversed: Bool = false) throws -> SeedFolder {
        let sources = reversed ? sources.reversed() : sources
        return try SeedFolder([
            "seed.json": manifest.replacing("SOURCES", with: sources.joined(separator: ", ")),
            "lines.json": lines, "products.json": products,
        ])
    }

    private static let links = """
        SELECT l.id, p.id, r.id, s.id FROM Line l LEFT JOIN Product p ON p._id = l.product
        LEFT JOIN Product r ON r._id = l.replaced LEFT JOIN Product s ON s._id = l.stored ORDER BY l.id
        """
    private static let parts = """
        SELECT l.id, p.id, position FROM Line_parts JOIN Line l ON l._id = owner JOIN Product p ON p._id = target
        ORDER BY l.id, position
        """

    private static let pending = [
        #"'parts', 1, '{"sku":"X"}'"#, #"'product', 2, '{"sku":"X"}'"#,
        #"'stored', 2, '{"rack":"R","spot":3}'"#,
    ]

    private func expectConnected(_ folder: SeedFolder) throws {
        #expect(
            try folder.rows(Self.links) == [
                "1, 7, NULL, 8", "2, NULL, 7, NULL", "3, 8, 8, NULL", "4, 8, NULL, NULL", "5, NULL, NULL, NULL",
            ])
        #expect(try folder.rows(Self.parts) == ["1, 8, 0", "1, 7, 1"])
        #expect(
            try folder.rows("SELECT relationship, row, key FROM _mappingkit_pending ORDER BY 1, 2") == Self.pending)
    }

    @Test(arguments: [false, true]) func `Rows are connected by unique attributes, in any order`(_ isReversed: Bool)
        throws
    {
        let folder = try Self.folder(reversed: isReversed)
        let report = try folder.build()
        try expectConnected(folder)
        #expect(
            report.unresolved.map { "\($0.relationship) \($0.count) \($0.samples)" } == [
                #"product 1 ["X"]"#, #"stored 1 ["{\"rack\":\"R\",\"spot\":3}"]"#, #"parts 1 ["X"]"#,
            ])
        // An update with the same dumps changes nothing.
        try folder.build { $0.updatesExisting = true }
        try expectConnected(folder)
        #expect(try folder.run("inspect", "out.sqlite", "--verify").status == 0)
    }

    @Test func `An update connects rows whose targets were missing, and exchanges unique values`() throws {
        let folder = try Self.folder()
        try folder.build()
        try folder.folder.write(#"[{"id":4,"sku":"A"}]"#, to: "lines.json")
        try folder.folder.write(
            #"[{"id":8,"sku":"A"},{"id":7,"sku":"B"},{"id":10,"sku":"X"},{"id":9,"rack":"R","spot":3}]"#,
            to: "products.json")
        #expect(try folder.build { $0.updatesExisting = true }.unresolved.isEmpty)
        #expect(
            try folder.rows(Self.links) == [
                "1, 7, NULL, 8", "2, 10, 7, 9", "3, 8, 8, NULL", "4, 8, NULL, NULL", "5, NULL, NULL, NULL",
            ])
        #expect(try folder.rows(Self.parts) == ["1, 8, 0", "1, 7, 1", "1, 10, 2"])
    }

    @Test(arguments: [
        (#"[{"id":7,"sku":"A"},{"id":8,"sku":"A"}]"#, "value of 'sku', which must be unique: 'A'"),
        (
            #"[{"id":7,"rack":"R","spot":2},{"id":8,"rack":"R","spot":2}]"#,
            "values of 'rack', 'spot', which must be unique: 'R', 2"
        ),
    ])
    func `Two objects with the same unique value end a build`(_ products: String, _ text: String) throws {
        let folder = try Self.folder()
        try folder.folder.write(products, to: "products.json")
        let (kind, lines) = try #require(try folder.buildError())
        #expect(kind == .badData)
        #expect(lines == ["cannot build out.sqlite: several objects of 'Product' have the same \(text)"])
        // Also if no relationship refers to the attribute.
        try folder.folder.write(
            #"{ "model": { \#(Self.product) }, "sources": [\#(Self.sources[1])] }"#, to: "seed.json")
        #expect(try folder.buildError()?.1 == lines)
    }

    @Test func `An app connects the rows of a seed that wait for a unique value`() async throws {
        let folder = try Self.folder()
        try folder.build()
        let store = try await ManagedObjectStore.open(
            at: folder.folder.file("app.sqlite"), model: ObjectModel(Line.self, Product.self), seed: folder.output)
        try expectConnections(in: store)
    }

    private func expectConnections(in store: ManagedObjectStore) throws {
        let context = ObjectContext(store)
        _ = try context.map(#"[{"id":10,"sku":"X","rack":"R","spot":3}]"#, with: Product.mapping) as [Product]
        try context.save()
        #expect(try store.rows(sql: "SELECT count(*) AS n FROM _mappingkit_pending")[0]["n"] == .integer(0))
        let line = try #require(try context.find(Line.self, 2) as Line?)
        #expect(line.product?.id == 10 && line.stored?.id == 10)
        context.delete(try #require(try context.find(Product.self, 10) as Product?))
        try context.save()
        #expect(
            try store.rows(sql: "SELECT relationship, row, key FROM _mappingkit_pending ORDER BY 1, 2").map {
                $0.values.map(\.description).joined(separator: ", ")
            } == Self.pending)
    }
}
