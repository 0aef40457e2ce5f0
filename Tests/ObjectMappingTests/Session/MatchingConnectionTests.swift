import ObjectMapping
import Testing

private final class Product: Mappable {
    var id = 0
    var sku: String?
    var shelf = 0
    var slot: Int?

    static let mapping = Mapping({ Product() }) {
        Attribute("id", \.id)
        Attribute("sku", \.sku)
        Attribute("shelf", \.shelf)
        Attribute("slot", \.slot)
    }
    .identified(by: \.id)
}

private final class Item: Mappable {
    var id = 0
    var productSKU: String?
    var shelf: Int?
    var slot: Int?
    var skus: [String]?
    var productID: Int?
    var product: Product?
    var neighbor: Product?
    var products: [Product] = []
    var original: Product?

    static let mapping = Mapping({ Item() }) {
        Attribute("id", \.id)
        Attribute("product_sku", \.productSKU)
        Attribute("shelf", \.shelf)
        Attribute("slot", \.slot)
        Attribute("skus", \.skus)
        Attribute("product_id", \.productID)
        Connection(\.product, by: \.productSKU, matching: \.sku)
        Connection(\.neighbor, by: \.shelf, \.slot, matching: \.shelf, \.slot)
        Connection(\.products, by: \.skus, matching: \.sku)
        Connection(\.original, by: \.productID)
    }
    .identified(by: \.id)
}

private struct Shop {
    var items: [Item] = []
    var products: [Product] = []

    static let mapping = Mapping(Shop.init) {
        Relationship("items", \.items, Item.mapping)
        Relationship("products", \.products, Product.mapping)
    }
}

struct MatchingConnectionTests {
    @Test func `Objects are connected by a unique property that is not their identity`() throws {
        let shop = try Shop.mapping.map(
            """
            {"items": [{"id": 1, "product_sku": "A", "shelf": 2, "slot": 5, "skus": ["B", "A", "C"], "product_id": 8}],
             "products": [{"id": 7, "sku": "A"}, {"id": 8, "sku": "B", "shelf": 2, "slot": 5}, {"id": 9}]}
            """)
        let item = shop.items[0]
        #expect(item.product === shop.products[0] && item.neighbor === shop.products[1])
        #expect(item.products.map(\.id) == [8, 7] && item.original === shop.products[1])
    }

    @Test func `A connection waits for its target in later payloads`() throws {
        let session = MappingSession()
        let items = try Item.mapping.mapAll(
            #"[{"id": 1, "product_sku": "A"}, {"id": 2, "product_sku": "A", "skus": ["A", "B"]}]"#, in: session)
        #expect(session.unresolved.map(\.description).count == 4)
        #expect(session.unresolved.first?.description == "Item.product waits for a Product")
        let product = try Product.mapping.map(#"{"id": 7}"#, in: session)
        #expect(items.allSatisfy { $0.product == nil })
        try Product.mapping.update(product, from: #"{"sku": "A"}"#, in: session)
        #expect(items.allSatisfy { $0.product === product } && items[1].products.map(\.id) == [7])
        _ = try Product.mapping.mapAll(#"[{"id": 6, "sku": "B"}]"#, in: session)
        #expect(items[1].products.map(\.id) == [7, 6] && session.unresolved.isEmpty)
        // An object whose value has changed is not found by its old value.
        _ = try Product.mapping.map(#"{"id": 7, "sku": "Z"}"#, in: session)
        let late = try Item.mapping.mapAll(
            #"[{"id": 3, "product_sku": "A"}, {"id": 4, "product_sku": "Z"}]"#, in: session)
        #expect(late[0].product == nil && late[1].product === product)
    }

    @Test func `A value of several objects resolves no connection`() throws {
        let session = MappingSession()
        _ = try Product.mapping.mapAll(#"[{"id": 1, "sku": "A"}, {"id": 2, "sku": "A"}]"#, in: session)
        let item = try Item.mapping.map(#"{"id": 1, "product_sku": "A"}"#, in: session)
        #expect(item.product == nil && session.unresolved.count == 1)
    }

    @Test func `Objects of a decode that fails are not found`() throws {
        let session = MappingSession()
        _ = try Item.mapping.map(#"{"id": 1, "product_sku": "A"}"#, in: session)
        #expect(throws: MappingError.self) {
            _ = try Product.mapping.mapAll(#"[{"id": 1, "sku": "A"}, {"id": []}]"#, in: session)
        }
        let item = try Item.mapping.map(#"{"id": 2, "product_sku": "A"}"#, in: session)
        #expect(item.product == nil)
        let product = try Product.mapping.map(#"{"id": 5, "sku": "A"}"#, in: session)
        #expect(item.product === product && session.find(Item.self, 1)?.product === product)
    }

    @Test func `Null clears the relationship, and an absent key leaves it unchanged`() throws {
        let session = MappingSession()
        _ = try Product.mapping.map(#"{"id": 1, "sku": "A"}"#, in: session)
        let item = try Item.mapping.map(#"{"id": 1, "product_sku": "A"}"#, in: session)
        _ = try Item.mapping.map(#"{"id": 1}"#, in: session)
        #expect(item.product?.id == 1)
        _ = try Item.mapping.map(#"{"id": 1, "product_sku": null}"#, in: session)
        #expect(item.product == nil)
    }

    @Test func `Keys of another type or number are mistakes of the mapping`() {
        let wrong = Mapping({ Item() }) {
            Attribute("product_id", \.productID)
            Attribute("shelf", \.shelf)
            Connection(\.product, by: \.productID, matching: \.sku)
            Connection(\.neighbor, by: \.shelf, matching: \.shelf, \.slot)
        }
        expectIssues(
            """
            expected keys of the type String, like Product.sku, found Int (rule Item.productID -> Item.product)
            expected a key for each of Product.shelf, Product.slot, found 1 key (rule Item.shelf -> Item.neighbor)
            """
        ) { try wrong.validate() }
    }
}
