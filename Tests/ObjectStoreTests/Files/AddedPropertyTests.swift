import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// The classes that wrote a file.
private enum Old {
    final class Garden: ManagedObject {
        override class var entityName: String { "Garden" }
        @Stored(.identity) var gardenID = 0
        @ToMany(inverse: \Plant.garden) var plants: [Plant]
    }

    final class Plant: ManagedObject {
        override class var entityName: String { "Plant" }
        @Stored(.identity) var plantID = 0
        @ToOne var garden: Garden?
    }
}

/// The same classes with additional properties, and another class, in another order.
private enum New {
    final class Visit: ManagedObject {
        override class var entityName: String { "Visit" }
        @Stored(.identity) var visitID = 0
        @ToOne var garden: Garden?
        @ToMany(inverse: \Plant.visits) var plants: [Plant]
    }

    final class Garden: ManagedObject {
        override class var entityName: String { "Garden" }
        @Stored(.indexed) var area = 12.5
        @Stored(.identity) var gardenID = 0
        @Stored var note: String? = nil
        @Stored var names = ["none"]
        @ToMany(inverse: \Plant.garden) var plants: [Plant]
        @ToMany(inverse: \Visit.garden, isOrdered: true) var visits: [Visit]
    }

    final class Plant: ManagedObject {
        override class var entityName: String { "Plant" }
        @Stored(.identity) var plantID = 0
        @Stored(.unique) var code: Int? = nil
        @ToOne var garden: Garden?
        @ToOne var parent: Plant?
        @ToMany var visits: [Visit]
    }
}

/// Classes whose additional properties would have no value in existing rows, or that differ otherwise.
private enum Impossible {
    final class Garden: ManagedObject {
        override class var entityName: String { "Garden" }
        @Stored(.identity) var gardenID = ""
        @Stored(.required) var owner: String? = nil
        @Stored(.unique) var number = 1
        @Stored var planted = Date()
        @Stored var isOpen = true
    }

    final class Plant: ManagedObject {
        override class var entityName: String { "Plant" }
        @Stored(.identity) var plantID = 0
        @ToOne(isRequired: true) var owner: Garden?
    }
}

@Suite struct AddedPropertyTests {
    let folder: TemporaryDirectory
    let url: URL

    /// A file with two plants in a garden.
    init() async throws {
        folder = try TemporaryDirectory()
        url = folder.file("app.sqlite")
        let store = try ManagedObjectStore(at: url, model: ObjectModel(Old.Garden.self, Old.Plant.self))
        try await store.perform { context in
            let garden = Old.Garden(in: context)
            garden.gardenID = 7
            for number in 1...2 {
                let plant = Old.Plant(in: context)
                (plant.plantID, plant.garden) = (number, garden)
            }
            try context.save()
        }
        try store.checkpoint()
        store.close()
    }

    private func newModel() throws -> ObjectModel { try ObjectModel(New.Visit.self, New.Garden.self, New.Plant.self) }

    private func impossibleModel() throws -> ObjectModel {
        try ObjectModel(Impossible.Garden.self, Impossible.Plant.self)
    }

    private func useAdditions(_ store: ManagedObjectStore) async throws {
        let found = try await store.perform { context in
            let garden = try context.find(New.Garden.self, 7)
            return [garden?.area.description, garden?.note, garden?.names.first, "\(garden?.plants.count ?? 0)"]
        }
        #expect(found == ["12.5", nil, "none", "2"])
        try await store.perform { context in
            let garden = try context.find(New.Garden.self, 7)
            let plants = try context.fetch(New.Plant.all.sorted(by: \.plantID))
            for number in 1...3 {
                let visit = New.Visit(in: context)
                (visit.visitID, visit.garden, visit.plants) = (number, garden, plants)
            }
            garden?.visits.reverse()
            (plants[0].code, plants[0].parent) = (5, plants[1])
            garden?.note = "new"
            try context.save()
        }
        let kept = try await store.perform { context in
            let garden = try context.find(New.Garden.self, 7)
            let plant = try context.find(New.Plant.self, 1)
            return [
                "\(garden?.visits.map(\.visitID) ?? [])", garden?.note, "\(plant?.visits.count ?? 0)",
                "\(plant?.parent?.plantID ?? 0)",
            ]
        }
        #expect(kept == ["[3, 2, 1]", "new", "3", "2"])
        #expect(try SeedDatabase(at: store.url ?? url).damages() == [])
        let plan = try store.rows(sql: #"EXPLAIN QUERY PLAN SELECT 1 FROM "Garden" WHERE "area" = 1"#)
        #expect(plan.first?["detail"]?.text?.contains("USING COVERING INDEX") == true)
    }

    @Test func `a file opens with classes that have more properties, and more classes`() async throws {
        let store = try await ManagedObjectStore.open(at: url, model: newModel())
        try await useAdditions(store)
        store.close()
        let again = try await ManagedObjectStore.open(at: url, model: newModel())
        #expect(try again.count(of: "Visit") == 3)
        // As in a file in which the additions are declared last.
        #expect(try again.rows(sql: #"SELECT * FROM "Plant_visits""#).count == 6)
        let stored = try SeedDatabase(at: url).model
        #expect(stored.entities.map(\.name) == ["Garden", "Plant", "Visit"])
        #expect(try stored.hash == newModel().hash)
    }

    @Test func `an old seed is copied for classes that have more properties`() async throws {
        let copy = folder.file("copy.sqlite")
        let store = try await ManagedObjectStore.open(at: copy, model: newModel(), seed: url)
        try await useAdditions(store)
        #expect(try SeedDatabase(at: url).entities == ["Garden", "Plant"])
    }

    @Test(arguments: [false, true])
    func `what cannot be added is named, and the file is unchanged`(isReadOnly: Bool) async throws {
        let before = try Data(contentsOf: url)
        var options = ManagedObjectStore.Options()
        options.isReadOnly = isReadOnly
        let model = isReadOnly ? try newModel() : try impossibleModel()
        var error: (any Error)?
        do {
            _ = try await ManagedObjectStore.open(at: url, model: model, options: options)
        } catch let thrown { error = thrown }
        let problem = try #require(error as? StoreError)
        #expect(problem.kind == .modelMismatch)
        let expected =
            isReadOnly
            ? [
                "the file has no entity 'Visit'", "the file has no 'area' in 'Garden'",
                "the file has no 'note' in 'Garden'",
                "the file has no 'names' in 'Garden'", "the file has no 'visits' in 'Garden'",
                "the file has no 'code' in 'Plant'", "the file has no 'parent' in 'Plant'",
                "the file has no 'visits' in 'Plant'",
            ]
            : [
                "'Garden.gardenID' is integer in the file and string in the class",
                "the file has no 'owner' in 'Garden' (existing rows have no value; declare it as optional, or with a constant "
                    + "default)",
                "the file has no 'number' in 'Garden' (existing rows cannot have unique values; declare it as optional)",
                "the file has no 'planted' in 'Garden' (existing rows have no value; declare it as optional, or with a "
                    + "constant default)",
                "the file has no 'isOpen' in 'Garden'", "the class of 'Garden' has no property 'plants'",
                "the file has no 'owner' in 'Plant' (existing rows have no object; remove isRequired)",
                "the class of 'Plant' has no property 'garden'",
            ]
        let text = "the model of '\(url.path)' differs from the classes: \(expected.joined(separator: "; "))"
        #expect(problem.message == text)
        #expect(problem.advice?.hasPrefix(isReadOnly ? "open the file for writing" : "change the classes") == true)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test func `a file with another model is made again if the options say so`() async throws {
        var options = ManagedObjectStore.Options()
        options.onModelMismatch = .recreate
        // Additions need no new file.
        let extended = try await ManagedObjectStore.open(at: url, model: newModel(), options: options)
        #expect(try extended.count(of: "Plant") == 2)
        extended.close()
        let empty = try await ManagedObjectStore.open(at: url, model: impossibleModel(), options: options)
        #expect(try empty.count(of: "Plant") == 0)
        #expect(try empty.model == impossibleModel())
        empty.close()
        let text = folder.file("text.sqlite")
        try Data(repeating: 65, count: 4096).write(to: text)
        var error: (any Error)?
        do {
            _ = try await ManagedObjectStore.open(at: text, model: impossibleModel(), options: options)
        } catch let thrown { error = thrown }
        #expect((error as? StoreError)?.kind == .corrupt)
    }

    @Test func `a file with another model becomes a copy of the seed`() async throws {
        let other = folder.file("other.sqlite")
        _ = try await ManagedObjectStore.open(at: other, model: impossibleModel())
        var options = ManagedObjectStore.Options()
        options.onModelMismatch = .recreate
        let store = try await ManagedObjectStore.open(at: other, model: newModel(), seed: url, options: options)
        #expect(try store.count(of: "Plant") == 2)
    }
}
