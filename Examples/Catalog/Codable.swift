import ExampleSupport
import Foundation
import ObjectMapping

let codable = Example(
    "codable", group: "Mapping",
    "Existing Codable types, decoded faster and with better errors, and replaced by mappings one by one"
) { story in
    let json = """
        [
          { "order_number": 17, "placed_at": "2026-11-21T07:23:00Z", "total": 24.5,
            "customer": { "full_name": "Ada", "country": "GB" } },
          { "order_number": 18, "placed_at": "2026-11-22T10:00:00Z", "total": 0,
            "customer": { "fullname": "Grace", "country": "US" } }
        ]
        """
    story.say("Two orders; one key of the second customer is misspelt:")
    story.show(json)
    story.say("The types are `Decodable`; they need no change:")
    story.showCode("types")

    let foundation = JSONDecoder()
    foundation.keyDecodingStrategy = .convertFromSnakeCase
    foundation.dateDecodingStrategy = .iso8601
    story.say(
        "`JSONDecoder` reports the missing key and the element, but neither the position nor the keys that exist:")
    do {
        _ = try foundation.decode([Order].self, from: Data(json.utf8))
    } catch DecodingError.keyNotFound(let key, let context) {
        story.show("\(key.stringValue), below \(context.codingPath.map(\.stringValue).joined(separator: ", "))")
    }

    story.say(
        "`MappingDecoder` has the same settings and throws the same errors. Only the name of the type changes:")
    story.showCode("decoder")
    let decoder = makeDecoder()
    do {
        _ = try decoder.decode([Order].self, from: json)
    } catch DecodingError.keyNotFound(_, let context) {
        story.show(context.debugDescription)
        let error = context.underlyingError as? MappingError
        story.say("The underlying error has the issue with its parts:")
        story.show("line \(error?.issues.first?.line ?? 0), suggestions \(error?.issues.first?.suggestions ?? [])")
    }

    let repaired = json.replacing("fullname", with: "full_name")
    let orders = try decoder.decode([Order].self, from: repaired)
    story.say("With the correct key:")
    for order in orders { story.show("\(order.orderNumber) \(order.customer.fullName) \(order.total)") }

    story.say(
        """
        Types can be replaced by mappings one by one. A mapping declares keys and conversions in one place. A property
        whose type is still `Codable` needs one word:
        """)
    story.showCode("mapping")
    let tickets = try Ticket.mapping.mapAll(repaired)
    for ticket in tickets { story.show("\(ticket.number) \(ticket.buyer?.country ?? "") \(ticket.total)") }
}

// snippet.types
struct Order: Decodable {
    var orderNumber: Int
    var placedAt: Date
    var total: Decimal
    var customer: Customer
}

struct Customer: Decodable {
    var fullName: String
    var country: String
}
// snippet.end

// snippet.decoder
private func makeDecoder() -> MappingDecoder {
    let decoder = MappingDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
}
// snippet.end

// snippet.mapping
struct Ticket: Mappable {
    var number = 0
    var total = 0.0
    var buyer: Buyer?

    static let mapping = Mapping(Ticket.init) {
        Attribute("order_number", \.number)
        Attribute("total", \.total)
        Attribute("customer", \.buyer, using: .codable)
    }
}

struct Buyer: Codable {
    var country: String
}
// snippet.end
