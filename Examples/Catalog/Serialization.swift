import ExampleSupport
import ObjectMapping
import RequestQueue

let serialization = Example(
    "serialization", group: "Mapping",
    "The mapping that reads a model also writes it: as JSON, as a form, and as a PATCH of the changes"
) { story in
    let json = """
        { "product": { "id": 7, "title": "Blue kettle", "price": { "amount": 24.90, "currency": "EUR" },
          "note": "last one", "tags": ["kitchen", "blue"], "reviews": [{ "stars": 5 }, { "stars": 4 }],
          "maker": { "name": "Ironworks", "town": "Solingen" } } }
        """
    story.say("A product:")
    story.show(json)
    story.say("Its mapping, with a mean that is only read and a password that is only written:")
    story.showCode("declaration")

    let old = try Product.mapping.mapAll(json, at: "product")[0]
    story.say("`serialize` applies the same rules in reverse. Key paths with dots become nested objects:")
    let options = WritingOptions(isPrettyPrinted: true)
    story.show(
        String(decoding: try Product.mapping.serialize(old, rootKey: "product", options: options), as: UTF8.self))

    var new = old
    new.amount = 19.90
    new.note = nil
    new.maker?.town = "Remscheid"
    story.say(
        """
        The price, the note and the address of the maker change. `serialize(new, changedFrom: old)` is a merge patch
        (RFC 7396): it has the changed values, and null for removed ones.
        """)
    story.show(String(decoding: try Product.mapping.serialize(new, changedFrom: old), as: UTF8.self))
    story.show(
        "nothing changed: \(String(decoding: try Product.mapping.serialize(old, changedFrom: old), as: UTF8.self))")

    story.say("`omitting` leaves members out of a body and of changes:")
    let short = Product.mapping.omitting("price", "tags", "maker.town")
    story.show(String(decoding: try short.serialize(old), as: UTF8.self))
    story.show(String(decoding: try short.serialize(new, changedFrom: old), as: UTF8.self))

    story.say("As the body of a request, or as the fields of a form or a query:")
    let body = try Product.mapping.serialize(new, changedFrom: old)
    let client = RESTClient(baseURL: URL(string: "https://shop.example/v1") ?? URL(filePath: "/"))
    let patch = client.request(.patch, "/products/7", .data(body, contentType: "application/merge-patch+json"))
    story.show("\(patch.method.rawValue) \(patch.url?.absoluteString ?? ""), \(body.count) bytes")
    let product = try Product.mapping.json(of: new)
    let form = ["title": product["title"].string, "price": product["price"]["amount"].double.map { "\($0)" }]
    let search = client.request(.get, "/products", query: form.compactMapValues { $0 })
    story.show("\(search.method.rawValue) \(search.url?.absoluteString ?? "")")
}

// snippet.declaration
struct Product: Mappable {
    var id = 0
    var title = ""
    var amount = 0.0
    var currency = ""
    var note: String?
    var tags: Set<String> = []
    var stars: Double?
    var maker: Maker?
    var password: String?

    static let mapping = Mapping(Product.init) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("price.amount", \.amount)
        Attribute("price.currency", \.currency)
        Attribute("note", \.note)
        Attribute("tags", \.tags)
        Attribute("reviews.@avg.stars", \.stars)
        Relationship("maker", \.maker)
        Attribute("password", \.password).writeOnly
    }
    .identified(by: \.id)
}

struct Maker: Mappable {
    var name = ""
    var town = ""
    static let mapping = Mapping(Maker.init) {
        Attribute("name", \.name)
        Attribute("town", \.town)
    }
}
// snippet.end
