import ObjectMapping

/// A struct with a property of every kind.
struct Note: Mappable, Equatable {
    enum Status: String, JSONConvertible { case open, done }

    var id = 1
    var title = "untitled"
    var rating: Double? = 0.5
    var isPinned = true
    var due: Date? = Date(timeIntervalSince1970: 0)
    var tags = ["new"]
    var labels: [String]? = ["none"]
    var codes: Set<Int> = [7]
    var status = Status.open
    var link: URL?
    var depth: Int?? = 3
    var count: UInt8 = 9
    var upper: String {
        get { title.uppercased() }
        set { title = newValue.lowercased() }
    }
    var changes = 0
    var observed = 0 { didSet { changes += 1 } }
    var place = Place()

    struct Place: Equatable {
        var city = "nowhere"
        var zip: String?
    }

    static let mapping = Mapping(Note.init) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("rating", \.rating)
        Attribute("pinned", \.isPinned)
        Attribute("due", \.due)
        Attribute("tags", \.tags)
        Attribute("labels", \.labels)
        Attribute("codes", \.codes)
        Attribute("status", \.status)
        Attribute("link", \.link)
        Attribute("depth", \.depth)
        Attribute("count", \.count)
        Attribute("upper", \.upper)
        Attribute("observed", \.observed)
        Attribute("place.city", \.place.city)
        Attribute("place.zip", \.place.zip)
    }
}

/// A class with a property of every kind, and others of its type.
final class Person: Mappable {
    var name = "nobody"
    var age: Int? = 30
    var languages = ["none"]
    var boss: Person?
    var home = House()
    var houses: [House] = []
    var team: [Person]? = []

    static let mapping = Mapping({ Person() }) {
        Attribute("name", \.name)
        Attribute("age", \.age)
        Attribute("languages", \.languages)
        Relationship("boss", \.boss)
        Relationship("home", \.home)
        Relationship("houses", \.houses)
        Relationship("team", \.team)
    }
}

/// A class in a reference cycle.
final class House: Mappable, Hashable {
    var city = "nowhere"
    var owner: Person?

    static let mapping = Mapping({ House() }) {
        Attribute("city", \.city)
        Relationship("owner", \.owner)
    }

    static func == (a: House, b: House) -> Bool { a.city == b.city }
    func hash(into hasher: inout Hasher) { hasher.combine(city) }
}

/// A type without rules, for tests of single rules.
struct Box: Equatable {
    var int = -1
    var ints: [Int] = []
    var text = "-"
    var texts: [String] = []
    var optional: String? = "-"
    var double = -1.0
    var json: JSON?
    var payments: [Payment] = []
    var payment: Payment?
}
