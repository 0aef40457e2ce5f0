import ExampleSupport
import Foundation
import ObjectMapping

let immutableStructs = Example(
    "immutable-structs", group: "Mapping",
    "Models whose properties are constants, made at once by their initialiser"
) { story in
    let json = """
        [
          { "id": 1, "name": "Ada", "born": "10.12.1815", "roles": ["author"],
            "address": { "street": "St James's Square", "city": "London" } },
          { "id": 2, "name": "Grace", "born": "09.12.1906", "address": null }
        ]
        """
    story.say("People, with a date as nobody should write it:")
    story.show(json)
    story.say(
        """
        The properties are constants. One parameter stands for each argument of the initialiser, in its order: one that
        is missing, too many, or of another type does not compile.
        """)
    story.showCode("declaration")

    let people = try Author.mapping.mapAll(json)
    story.say("`try Author.mapping.mapAll(json)`:")
    for person in people {
        story.show("\(person.id) \(person.name), \(person.roles.joined()), \(person.address?.city ?? "no address")")
    }
    story.say("The same declaration writes them; the conversion of the date works in both directions:")
    story.show(String(decoding: try Author.mapping.serialize(people[0]), as: UTF8.self))

    story.say("What has no default must be there. All that is wrong is told at once:")
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
