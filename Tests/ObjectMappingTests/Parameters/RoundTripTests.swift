import ObjectMapping
import Testing

private struct Contact: Mappable, Equatable {
    var id = 0
    var name = ""
    var nick: String?
    var born = Date(timeIntervalSince1970: 0)
    var places: [Place] = []

    static let mapping = contact(Parameter("name", \.name), Parameter("nick", \.nick))

    static func contact(_ name: Parameter<Contact, String>, _ nick: Parameter<Contact, String?>) -> Mapping<Contact> {
        Mapping(
            Contact.self, Contact.init(id:name:nick:born:places:), Parameter("id", \.id), name, nick,
            Parameter("born", \.born, using: .date(.dateOnly)), Parameter("places", \.places))
    }

    static let sample = Contact(
        id: 1, name: "Ada", nick: "Countess", born: Date(timeIntervalSince1970: 86_400), places: [Place(x: 1, y: 2)])
}

/// Two arguments of one type, and no `==`.
private struct Place: Mappable, Hashable {
    var x = 0
    var y = 0
    static let mapping = Mapping(Place.self, Place.init(x:y:), Parameter("x", \.x), Parameter("y", \.y))
}

private final class Track: Mappable {
    var title = ""
    var place: Point?
    var count = 0
    var extra = 0

    static let mapping = Mapping({ Track() }) {
        Attribute("title", \.title)
        Relationship("place", \.place)
        Attribute("marks.@count", \.count)
        Attribute("extra", \.extra).readOnly
    }
}

private struct Point: Mappable {
    var x = 0
    var y = 0
    static let mapping = Mapping(Point.init) {
        Attribute("x", \.x)
        Attribute("y", \.y)
    }
    static let swapped = Mapping(Point.self, Point.init(x:y:), Parameter("y", \.y), Parameter("x", \.x))
}

struct RoundTripTests {
    private static let changed = "found another value after reading it"
    private static let question = "\(changed); are two parameters in the wrong order?"

    @Test func `A model that is read as written passes`() throws {
        try Contact.mapping.validate(roundTripping: Contact.sample)
        let track = Track()
        (track.title, track.place, track.count, track.extra) = ("Pier", Point(x: 1, y: 2), 3, 4)
        try Track.mapping.validate(roundTripping: track)
    }

    @Test func `Parameters in another order than the arguments are named`() {
        let swapped = Mapping(
            Place.self, Place.init(x:y:), Parameter("y", \.y), Parameter("x", \.x))
        expectIssues(
            """
            expected the value of Place.y that was written, \(Self.question) (rule y -> Place.y)
            expected the value of Place.x that was written, \(Self.question) (rule x -> Place.x)
            """
        ) { try swapped.validate(roundTripping: Place(x: 1, y: 2)) }
    }

    @Test func `Properties in another order than the arguments are named`() {
        let mapping = Mapping(
            Person.self, Person.init(name:nick:), Parameter("name", \.nick), Parameter("nick", \.name))
        expectIssues(
            """
            expected the value of Person.nick that was written, \(Self.question) (rule name -> Person.nick)
            expected the value of Person.name that was written, \(Self.question) (rule nick -> Person.name)
            """
        ) { try mapping.validate(roundTripping: Person(name: "Ada", nick: "Countess")) }
    }

    private struct Person {
        let name: String
        let nick: String
    }

    @Test func `A lossy conversion is named`() {
        var sample = Contact.sample
        sample.born += 1
        expectIssues(
            "expected the value of Contact.born that was written, \(Self.question) (rule born -> Contact.born)"
        ) { try Contact.mapping.validate(roundTripping: sample) }
    }

    @Test func `A model that is not equatable is compared by its written JSON`() {
        struct Holder {
            var point = Point()
        }
        let mapping = Mapping(Holder.init) { Relationship("point", \.point, Point.swapped) }
        expectIssues(
            "expected the value of Holder.point that was written, \(Self.changed) (rule point -> Holder.point)"
        ) { try mapping.validate(roundTripping: Holder(point: Point(x: 1, y: 2))) }
    }

    @Test func `Models created from other values are compared as a whole`() throws {
        struct Wrapped {
            let point: Point
        }
        let mapping = Mapping({ Wrapped(point: $0) }, from: Point.swapped, values: { $0.point })
        expectIssues("expected the value of Wrapped that was written, \(Self.changed)") {
            try mapping.validate(roundTripping: Wrapped(point: Point(x: 1, y: 2)))
        }
    }

    @Test func `A mapping that only reads has nothing to compare`() {
        let mapping = Mapping(Place.self, Place.init(x:y:), Parameter("x"), Parameter("y"))
        expectIssues(
            "expected a closure that returns the values of Place, or rules that are read-only, "
                + "found a mapping that only creates its models"
        ) { try mapping.validate(roundTripping: Place(x: 1, y: 2)) }
    }
}
