import ObjectMapping
import Testing

@testable import ObjectStore

private final class Neighbor: ManagedObject {
    // The compiler refuses `\Neighbor.neighbors` here: "circular reference".
    static var path: KeyPath<Neighbor, [Neighbor]> { \Neighbor.neighbors }

    @ToMany(inverse: Neighbor.path) var neighbors: [Neighbor]
}

private final class Spouse: ManagedObject {
    static var path: KeyPath<Spouse, Spouse?> { \Spouse.spouse }

    @ToOne(inverse: Spouse.path) var spouse: Spouse?
}

private final class Acquaintance: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Acquaintance.friendsOf) var friends: [Acquaintance]
    @ToMany var friendsOf: [Acquaintance]
    @ToOne(inverse: \Acquaintance.partnerOf) var partner: Acquaintance?
    @ToOne var partnerOf: Acquaintance?
    @ToMany var contacts: [Acquaintance]

    /// The friends by both properties.
    var allFriends: Set<Acquaintance> { Set(friends).union(friendsOf) }
}

@Suite struct SymmetricRelationshipTests {
    @Test(arguments: [
        (Neighbor.self as ManagedObject.Type, "$.Neighbor.relationships.neighbors.inverse"),
        (Spouse.self, "$.Spouse.relationships.spouse.inverse"),
    ])
    func `a relationship that is its own inverse is an error of the model that says what to declare`(
        _ type: ManagedObject.Type, path: String
    ) {
        let error = #expect(throws: ModelError.self) { try ObjectModel(classes: [type]) }
        #expect(
            error?.description.contains(
                "\(path): a relationship cannot be its own inverse; declare two properties for a symmetric "
                    + "relationship, such as 'friends' and 'friendsOf'") == true, "\(error?.description ?? "")")
    }

    @Test func `two properties make a symmetric relationship`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Acquaintance.self))
        let context = ObjectContext(store)
        let people = (0..<3).map { number in
            let person = Acquaintance(in: context)
            person.number = number
            return person
        }
        people[0].friends = [people[1]]
        people[2].friends = [people[0], people[1]]
        people[0].partner = people[2]
        try context.save()
        context.refresh()
        #expect(people.map(\.allFriends.count) == [2, 2, 2])
        #expect(people[2].partnerOf === people[0] && people[2].partner == nil)
        context.delete(people[1])
        #expect(people[0].allFriends == [people[2]] && people[2].allFriends == [people[0]])
    }

    @Test func `an object can be related to itself`() throws {
        let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Acquaintance.self)))
        let person = Acquaintance(in: context)
        person.friends = [person]
        person.contacts = [person]
        try context.save()
        context.refresh()
        #expect(person.friends == [person] && person.friendsOf == [person] && person.contacts == [person])
        context.delete(person)
        try context.save()
        #expect(try context.value("SELECT count(*) FROM Acquaintance_friends")?.integer == 0)
    }
}
