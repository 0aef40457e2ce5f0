import ObjectMapping
import ObjectStore
import Testing

/// Two classes whose printed names are equal.
private enum Zoo {
    final class Cat: ManagedObject, Mappable {
        override class var entityName: String { "ZooCat" }
        @Stored(.identity) var catID = 0
        @Stored var cage = ""
        @ToOne var mother: Cat?

        static let mapping = Mapping(Cat.self) {
            Attribute("id", \.catID)
            Attribute("cage", \.cage)
            Relationship("mother", \.mother)
        }
    }
}

private enum House {
    final class Cat: ManagedObject, Mappable {
        override class var entityName: String { "HouseCat" }
        @Stored(.identity) var catID = 0
        @Stored var owner = ""
        @ToOne var friend: Zoo.Cat?

        static let mapping = Mapping(Cat.self) {
            Attribute("id", \.catID)
            Attribute("owner", \.owner)
            Relationship("friend", \.friend)
        }
    }
}

@Suite struct NamesakeTests {
    @Test func `classes of one name in different scopes are imported into their own tables`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Zoo.Cat.self, House.Cat.self))
        let zoo = try await store.importJSON(
            Data(#"[{"id":1,"cage":"A","mother":{"id":2,"cage":"B"}}]"#.utf8), with: Zoo.Cat.mapping)
        let house = try await store.importJSON(
            Data(#"[{"id":1,"owner":"Ada","friend":{"id":2,"cage":"C"}}]"#.utf8), with: House.Cat.mapping)
        #expect(zoo["ZooCat"]?.inserted == 2)
        #expect(zoo["HouseCat"]?.inserted == 0)
        #expect(house["HouseCat"]?.inserted == 1)
        #expect(house["ZooCat"]?.updated == 1)
        let names = try await store.perform { context in
            let cat = try context.find(House.Cat.self, 1)
            let mother = try context.find(Zoo.Cat.self, 1)?.mother
            return [cat?.owner, cat?.friend?.cage, mother?.cage]
        }
        #expect(names == ["Ada", "C", "C"])
    }
}
