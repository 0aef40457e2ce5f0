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
    @Test func `An object of a subclass stands for one of its superclass`() throws {
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

    @Test func `An object of a superclass does not stand for one of a subclass`() throws {
        let session = MappingSession()
        let animal = try Animal.rules.map(#"{"id": 1, "name": "a"}"#, in: session)
        let dog = try Dog.own.map(#"{"id": 1, "tricks": ["sit"]}"#, in: session)
        #expect(animal !== dog && dog.name == "" && session.find(Dog.self, 1) === dog)
    }
}
