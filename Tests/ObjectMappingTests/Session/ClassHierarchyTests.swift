import ObjectMapping
import Testing

private class Animal {
    var id = 0
    var name = ""

    static let rules = Mapping({ Animal() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
    .identified(by: \.id)
}

private final class Dog: Animal {
    var tricks: [String] = []

    static let own = Mapping({ Dog() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("tricks", \.tricks)
    }
    .identified(by: \.id)
}

private final class Keeper {
    var petIDs: [Int] = []
    var pets: [Animal] = []

    static let mapping = Mapping({ Keeper() }) {
        Attribute("pets", \.petIDs)
        Connection(\.pets, by: \.petIDs, to: Animal.rules)
    }
}

struct ClassHierarchyTests {
    @Test func `An object of a subclass is found as one of its superclass`() throws {
        let session = MappingSession()
        let keeper = try Keeper.mapping.map(#"{"pets": [2, 1]}"#, in: session)
        let animal = try Animal.rules.map(#"{"id": 1, "name": "a"}"#, in: session)
        let dog = try Dog.own.map(#"{"id": 2, "tricks": ["sit"]}"#, in: session)
        #expect(keeper.pets.count == 2 && keeper.pets.first === dog && keeper.pets.last === animal)
        #expect(session.find(Animal.self, 2) === dog && session.find(Dog.self, 1) == nil)
        #expect(session.all(Animal.self).map(\.id) == [1, 2] && session.all(Dog.self).map(\.id) == [2])
        let again = try Animal.rules.map(#"{"id": 2, "name": "Rex"}"#, in: session)
        #expect(again === dog && dog.name == "Rex" && dog.tricks == ["sit"])
    }

    @Test func `An object of a superclass is not found as one of a subclass`() throws {
        let session = MappingSession()
        let animal = try Animal.rules.map(#"{"id": 1, "name": "a"}"#, in: session)
        let dog = try Dog.own.map(#"{"id": 1, "tricks": ["sit"]}"#, in: session)
        #expect(animal !== dog && dog.name == "" && session.find(Dog.self, 1) === dog)
    }

    @Test func `An object with a changed identity is registered by it only, in all of its classes`() throws {
        let session = MappingSession()
        let rules = Mapping<Animal>({ Dog() }) { Attribute("id", \.id) }.identified(by: \.id)
        let animals = try rules.mapAll(#"[{"id": 1}, {"id": 2}]"#, in: session)
        let dog = try #require(animals[0] as? Dog)
        expectIssues("1:1 $: expected a unique identity, found the identity of another Dog of the session") {
            try Dog.own.update(dog, from: #"{"id": 2}"#, in: session)
        }
        #expect(dog.id == 1 && session.find(Animal.self, 1) === dog)
        try Dog.own.update(dog, from: #"{"id": 3}"#, in: session)
        #expect(session.find(Animal.self, 1) == nil && session.find(Dog.self, 3) === dog)
        try Animal.rules.update(dog, from: #"{"id": 4}"#, in: session)
        #expect(session.find(Dog.self, 3) == nil && session.find(Dog.self, 4) === dog)
        #expect(session.all(Animal.self).map(\.id) == [4, 2])
        #expect(try rules.map(#"{"id": 1}"#, in: session) !== dog)
    }

    private static let animals = Mapping<Animal>(matching: {
        Match("type", is: "dog", Dog.own) { $0 }
        Match { json in json["type"].string == "cat" ? Animal.rules : nil }
        Otherwise(Animal.rules)
    })
    .identified(by: \.id)

    @Test func `Objects whose class the payload selects are registered by it and its superclass`()
        throws
    {
        let session = MappingSession()
        let keeper = try Keeper.mapping.map(#"{"pets": [1, 2, 3]}"#, in: session)
        let animals = try Self.animals.mapAll(
            #"[{"type": "dog", "id": 1, "tricks": ["sit"]}, {"type": "cat", "id": 2}, {"id": 3}]"#, in: session)
        #expect(keeper.pets.map(\.id) == [1, 2, 3] && zip(keeper.pets, animals).allSatisfy { $0 === $1 })
        let dog = try #require(session.find(Dog.self, 1))
        #expect(dog === animals[0] && session.find(Animal.self, 3) === animals[2])
        _ = try Self.animals.map(#"{"type": "dog", "id": 1, "name": "Rex"}"#, in: session)
        #expect(dog.name == "Rex" && dog.tricks == ["sit"] && session.all(Animal.self).map(\.id) == [1, 2, 3])
    }

    private final class Endless {
        var id = 0

        static let mapping: Mapping<Endless> = Mapping(matching: {
            Match("again", is: true, Endless.mapping)
            Otherwise(rules)
        })
        .identified(by: \.id)

        private static let rules = Mapping({ Endless() }) { Attribute("id", \.id) }
    }

    @Test func `A recursive mapping of known objects is an issue, not a crash`() {
        let expected =
            "expected a mapping of Endless without infinite recursion, "
            + "found a case that uses it for the same value"
        expectIssues(expected) { try Endless.mapping.validate() }
        expectIssues(expected) { _ = try Endless.mapping.map(#"{"again": true}"#, in: MappingSession()) }
    }
}
