import ObjectMapping

/// The mapped part of citm_catalog.json: performances with their prices and, in nested lists, the areas of their seats.
struct Catalog: Decodable {
    var performances: [Performance]
}

struct Performance: Decodable {
    var id = 0
    var eventId = 0
    var start = 0
    var venueCode = ""
    var prices: [Price] = []
    var seatCategories: [SeatCategory] = []

    init() {}
}

struct Price: Decodable {
    var amount = 0
    var audience = 0
    var seat = 0

    init() {}

    private enum CodingKeys: String, CodingKey {
        case amount
        case audience = "audienceSubCategoryId"
        case seat = "seatCategoryId"
    }
}

struct SeatCategory: Decodable {
    var areas: [Area] = []
    var seatCategoryId = 0

    init() {}
}

struct Area: Decodable {
    var areaId = 0

    init() {}
}

// MARK: Mappings

extension Performance: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("id", \.id)
        Attribute("eventId", \.eventId)
        Attribute("start", \.start)
        Attribute("venueCode", \.venueCode)
        Relationship("prices", \.prices)
        Relationship("seatCategories", \.seatCategories)
    }
}

extension Price: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("amount", \.amount)
        Attribute("audienceSubCategoryId", \.audience)
        Attribute("seatCategoryId", \.seat)
    }
}

extension SeatCategory: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("seatCategoryId", \.seatCategoryId)
        Relationship("areas", \.areas)
    }
}

extension Area: Mappable {
    static let mapping = Mapping(Self.init) { Attribute("areaId", \.areaId) }
}

// MARK: From the result of JSONSerialization

extension Performance {
    init(_ members: [String: Any]) {
        id = members["id"] as? Int ?? 0
        eventId = members["eventId"] as? Int ?? 0
        start = members["start"] as? Int ?? 0
        venueCode = members["venueCode"] as? String ?? ""
        prices = (members["prices"] as? [[String: Any]] ?? []).map { members in
            var price = Price()
            price.amount = members["amount"] as? Int ?? 0
            price.audience = members["audienceSubCategoryId"] as? Int ?? 0
            price.seat = members["seatCategoryId"] as? Int ?? 0
            return price
        }
        seatCategories = (members["seatCategories"] as? [[String: Any]] ?? []).map { members in
            var category = SeatCategory()
            category.seatCategoryId = members["seatCategoryId"] as? Int ?? 0
            category.areas = (members["areas"] as? [[String: Any]] ?? []).map { members in
                var area = Area()
                area.areaId = members["areaId"] as? Int ?? 0
                return area
            }
            return category
        }
    }
}

// MARK: Checksum

extension Performance: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.add(id)
        checksum.add(eventId)
        checksum.add(start)
        checksum.add(venueCode)
        checksum.add(prices) { checksum, price in
            checksum.add(price.amount)
            checksum.add(price.audience)
            checksum.add(price.seat)
        }
        checksum.add(seatCategories) { checksum, category in
            checksum.add(category.areas) { $0.add($1.areaId) }
            checksum.add(category.seatCategoryId)
        }
    }
}
