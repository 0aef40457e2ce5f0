import ExampleSupport
import Foundation
import ObjectMapping

let immutableStructs = Example(
    "immutable-structs", group: "Mapping",
    "Models with constant properties, created by their initializer"
) { story in
    let json = """
        [
          { "id": 1, "name": "Ada", "born": "10.12.1815", "roles": ["author"],
            "address": { "street": "St James's Square", "city": "London" } },
          { "id": 2, "name": "Grace", "born": "09.12.1906", "address": null }
        ]
        """
    story.say("People, with dates in an unusual format:")
    story.show(json)
    story.say(
        """
        The properties are constants. There is one parameter for each argument of the initializer, in the same order. If
        one is missing, superfluous, or of another type, the code does not compile.
        """)
    story.showCode("declaration")

    let people = try Author.mapping.mapAll(json)
    story.say("`try Author.mapping.mapAll(json)`:")
    for person in people {
        story.show("\(person.id) \(person.name), \(person.roles.joined()), \(person.address?.city ?? "no address")")
    }
    story.say("The same declaration writes them; the date is converted in both directions:")
    story.show(String(decoding: try Author.mapping.serialize(people[0]), as: UTF8.self))

    story.say("A parameter without a default is required. All mistakes are reported together:")
    do throws(MappingError) {
        _ = try Author.mapping.map(#"{ "id": "seven", "nme": "Alan", "born": "1912-06-23" }"#)
    } catch {
        for issue in error.issues { story.show("\(issue)") }
    }
}

// snippet.declaration
struct Author: Mappable {
    let id: Int
    let name: String
    let born: Date
    let roles: [String]
    let address: Address?

    static let mapping = Mapping(
        Author.self, Author.init(id:name:born:roles:address:),
        Parameter("id", \.id),
        Parameter("name", \.name),
        Parameter("born", \.born, using: .date(.pattern("dd.MM.yyyy"))),
        Parameter("roles", \.roles).default(["reader"]),
        Parameter("address", \.address))
}

struct Address: Mappable {
    let street: String
    let city: String

    static let mapping = Mapping(
        Address.self, Address.init(street:city:), Parameter("street", \.street), Parameter("city", \.city))
}
// snippet.end
