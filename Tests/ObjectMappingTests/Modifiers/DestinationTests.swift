import ObjectMapping
import Testing

/// Properties at the end of key paths.
struct DestinationTests {
    private struct Street: Equatable {
        var name = "none"
        var number: Int?
    }

    private struct Address: Equatable {
        var street = Street()
        var city = "nowhere"
    }

    private final class Place {
        var city = "nowhere"
        var address = Address()
    }

    private struct Contact {
        var address = Address()
        var observed = Address() { didSet { changes += 1 } }
        var changes = 0
        var place = Place()
        var values: [String: Int] = [:]
        var upper: Address {
            get { address }
            set { address = Address(street: newValue.street, city: newValue.city.uppercased()) }
        }
        subscript(key: String) -> Int {
            get { values[key] ?? 0 }
            set { values[key] = newValue }
        }

        static let mapping = Mapping(Contact.init) {
            Attribute("street", \.address.street.name)
            Attribute("number", \.address.street.number)
            Attribute("city", \.address.city)
            Attribute("seen", \.observed.street.name)
            Attribute("place", \.place.city)
            Attribute("deep", \.place.address.street.number)
            Attribute("upper", \.upper.city)
            Attribute("a", \.values["a"])
            Attribute("b", \.["b"])
        }
    }

    @Test func `A value is set at the end of the path, and other properties are unchanged`() throws {
        let contact = try Contact.mapping.map(
            #"{"street": "Elm", "number": 3, "city": "Rome", "seen": "Oak", "place": "Oslo", "deep": 4, "a": 5, "b": 6}"#
        )
        #expect(contact.address == Address(street: Street(name: "Elm", number: 3), city: "Rome"))
        #expect(contact.observed == Address(street: Street(name: "Oak")) && contact.changes == 1)
        #expect(contact.place.city == "Oslo" && contact.place.address.street == Street(name: "none", number: 4))
        #expect(contact.values == ["a": 5, "b": 6])
        #expect(try Contact.mapping.map(#"{"city": "Rome", "upper": "Oslo"}"#).address.city == "OSLO")
    }

    @Test func `Null clears the property at the end of the path`() throws {
        var contact = try Contact.mapping.map(
            #"{"street": "Elm", "number": 3, "place": "Oslo", "deep": 4, "a": 5, "b": 6}"#)
        let place = contact.place
        try Contact.mapping.update(
            &contact, from: #"{"street": null, "number": null, "place": null, "deep": null, "a": null, "b": null}"#)
        #expect(contact.address == Address() && contact.values == ["b": 0])
        #expect(contact.place === place && place.city == "nowhere" && place.address == Address())
    }

    @Test func `Messages name the path`() {
        expectIssues(
            """
            1:13 $.number: expected an integer, found a string that cannot be converted to an integer \
            (rule number -> Contact.address.street.number)
            """
        ) { _ = try Contact.mapping.map(#"{"number":  "x"}"#) }
    }
}
