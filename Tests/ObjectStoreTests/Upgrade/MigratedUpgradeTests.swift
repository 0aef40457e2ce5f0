import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Seed upgrades of files whose model has changed after users edited seeded objects.
@Suite struct MigratedUpgradeTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// - Parameter steps: The steps of the program, which a new seed does not need.
    private func seed(
        _ name: String, _ entities: [EntityDescription], _ statements: String, steps: [MigrationStep] = []
    ) throws -> URL {
        let url = folder.file(name)
        var options = ManagedObjectStore.Options()
        options.migrationSteps = steps
        let store = try ManagedObjectStore(at: url, model: ObjectModel(entities: entities), options: options)
        try store.write { (connection) throws(StoreError) in try connection.database.execute(statements) }
        try store.checkpoint()
        store.close()
        return url
    }

    /// Opens a copy of a seed, runs statements of the user, and migrates it.
    private func migrated(
        _ seed: URL, _ old: [EntityDescription], _ edits: [String], to new: [EntityDescription],
        steps: [MigrationStep] = []
    ) async throws -> ManagedObjectStore {
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let url = folder.file("user.sqlite")
        let store = try await ManagedObjectStore.open(
            at: url, model: ObjectModel(entities: old), seed: seed, options: options)
        for sql in edits { try store.write(sql: sql) }
        store.close()
        options.migrationSteps = steps
        return try await .open(at: url, model: ObjectModel(entities: new), seed: seed, options: options)
    }

    private static func entities(
        _ toOwner: RelationshipDescription?, _ toPlants: RelationshipDescription?
    ) -> [EntityDescription] {
        [
            EntityDescription("Garden", [], toPlants.map { [$0] } ?? []),
            EntityDescription("Plant", [], toOwner.map { [$0] } ?? []),
        ]
    }

    private static let toOne = RelationshipDescription("garden", to: "Garden")
    private static let toOneWithInverse = RelationshipDescription("garden", to: "Garden", inverse: "plants")
    private static let toMany = RelationshipDescription("garden", to: "Garden", isToMany: true)
    private static let manyGardens = RelationshipDescription("garden", to: "Garden", isToMany: true, inverse: "plants")
    private static let plants = RelationshipDescription("plants", to: "Plant", isToMany: true)
    private static let plantsWithInverse = RelationshipDescription(
        "plants", to: "Plant", isToMany: true, inverse: "garden")
    private static let ordered = RelationshipDescription(
        "plants", to: "Plant", isToMany: true, isOrdered: true, inverse: "garden")
    private static let plant = RelationshipDescription("plants", to: "Plant", inverse: "garden")

    struct Change: CustomTestStringConvertible {
        let name: String
        let old: [EntityDescription]
        let new: [EntityDescription]
        /// Plant 1 is in garden 1, plant 2 in garden 2, and plant 3 in none.
        let rows: String
        /// The user moves plant 1 to garden 3, removes plant 2, and adds plant 3 to garden 1.
        let edits: [String]
        /// In the new seed, plant 1 is in garden 2, plant 2 in garden 1, plant 3 in none, and plant 4 in garden 4.
        let newRows: String
        let query: String
        /// The edits, and plant 4.
        let result: String
        var testDescription: String { name }
    }

    private static let column = "INSERT INTO Plant VALUES(1, 1, 1), (2, 2, 2), (3, 3, NULL), (5, 5, 1)"
    private static let columnEdits = [
        "UPDATE Plant SET garden = 3 WHERE id = 1", "UPDATE Plant SET garden = NULL WHERE id = 2",
        "UPDATE Plant SET garden = 1 WHERE id = 3", "INSERT INTO Plant VALUES(9, 9, 2)",
    ]
    private static let newColumn = "INSERT INTO Plant VALUES(1, 1, 2), (2, 2, 1), (3, 3, NULL), (4, 4, 4), (5, 5, 4)"
    private static let ids = "INSERT INTO Plant VALUES(1, 1), (2, 2), (3, 3), (5, 5); "
    private static let newIDs = "INSERT INTO Plant VALUES(1, 1), (2, 2), (3, 3), (4, 4), (5, 5); "
    private static func links(_ table: String, isInverse: Bool = false) -> (rows: String, edits: [String], new: String)
    {
        func pairs(_ pairs: [(Int, Int)]) -> String {
            "INSERT INTO \(table) VALUES "
                + pairs.map { isInverse ? "(\($1), \($0), 0)" : "(\($0), \($1), 0)" }.joined(separator: ", ")
        }
        let plant = isInverse ? "target" : "owner"
        return (
            pairs([(1, 1), (2, 2), (5, 1)]),
            [
                "DELETE FROM \(table) WHERE \(plant) IN (1, 2)", pairs([(1, 3), (3, 1)]),
                "INSERT INTO Plant VALUES(9, 9)", pairs([(9, 2)]),
            ], pairs([(1, 2), (2, 1), (4, 4), (5, 4)])
        )
    }
    private static let plantGarden = "SELECT id, garden FROM Plant ORDER BY id"
    private static let kept = "1,3;2,NULL;3,1;4,4;5,4;9,2"

    /// Of each plant and garden.
    private static func pairs(_ table: String, isInverse: Bool = false) -> String {
        let (owner, target) = isInverse ? ("Garden", "Plant") : ("Plant", "Garden")
        return "SELECT Plant.id, Garden.id FROM \(table) JOIN \(owner) ON \(owner)._id = owner "
            + "JOIN \(target) ON \(target)._id = target ORDER BY 1, 2"
    }

    @Test(arguments: [
        Change(
            name: "one to many", old: entities(toOne, nil), new: entities(toMany, nil), rows: column,
            edits: columnEdits, newRows: newIDs + links("Plant_garden").new, query: pairs("Plant_garden"),
            // A list receives the additions of the seed.
            result: "1,2;1,3;2,1;3,1;4,4;5,4;9,2"),
        Change(
            name: "many to one", old: entities(toMany, nil), new: entities(toOne, nil),
            rows: ids + links("Plant_garden").rows, edits: links("Plant_garden").edits, newRows: newColumn,
            query: plantGarden, result: kept),
        Change(
            name: "list gets an inverse", old: entities(nil, plants),
            new: entities(toOneWithInverse, plantsWithInverse),
            rows: ids + links("Garden_plants", isInverse: true).rows,
            edits: links("Garden_plants", isInverse: true).edits, newRows: newColumn, query: plantGarden, result: kept),
        Change(
            name: "unordered to ordered", old: entities(toOneWithInverse, plantsWithInverse),
            new: entities(toOneWithInverse, ordered), rows: column, edits: columnEdits,
            newRows: newColumn + "; INSERT INTO Garden_plants VALUES(2, 1, 0), (1, 2, 0), (4, 4, 0), (4, 5, 1)",
            query: plantGarden, result: kept),
        Change(
            name: "unordered to ordered, the lists", old: entities(toOneWithInverse, plantsWithInverse),
            new: entities(toOneWithInverse, ordered), rows: column, edits: columnEdits,
            newRows: newColumn + "; INSERT INTO Garden_plants VALUES(2, 1, 0), (1, 2, 0), (4, 4, 0), (4, 5, 1)",
            query: pairs("Garden_plants", isInverse: true), result: "1,3;3,1;4,4;5,4;9,2"),
        Change(
            name: "one-to-many to many-to-many", old: entities(toOneWithInverse, plantsWithInverse),
            new: entities(manyGardens, plantsWithInverse), rows: column, edits: columnEdits,
            newRows: newIDs + links("Garden_plants", isInverse: true).new,
            query: pairs("Garden_plants", isInverse: true),
            result: "1,2;1,3;2,1;3,1;4,4;5,4;9,2"),
    ]) func `edits of relationships that are stored in another way are kept`(_ change: Change) async throws {
        let gardens = { (count: Int) in
            "INSERT INTO Garden(_id, id) VALUES \((1...count).map { "(\($0), \($0))" }.joined(separator: ", ")); "
        }
        let first = try seed("first.sqlite", change.old, gardens(3) + change.rows)
        let store = try await migrated(first, change.old, change.edits, to: change.new)
        let second = try seed("second.sqlite", change.new, gardens(4) + change.newRows)
        let before = try store.text(change.query)
        let report = try await store.upgradeSeed(to: second)
        #expect(try store.text(change.query) == change.result, "\(report), before: \(before)")
        #expect(try SeedDatabase(at: folder.file("user.sqlite")).damages() == [])
        #expect(try store.text("SELECT name FROM temp.sqlite_schema").isEmpty)
    }

    @Test func `the side of a one-to-one relationship that was added is no edit`() async throws {
        let (old, new) = (Self.entities(Self.toOne, nil), Self.entities(Self.toOneWithInverse, Self.plant))
        let gardens = "INSERT INTO Garden(_id, id) VALUES(1, 1), (2, 2), (3, 3); "
        let first = try seed(
            "first.sqlite", old, gardens + "INSERT INTO Plant VALUES(1, 1, 1), (2, 2, 2), (3, 3, NULL)")
        let store = try await migrated(first, old, ["UPDATE Plant SET garden = 3 WHERE id = 1"], to: new)
        #expect(
            try store.text("SELECT \"table\", \"row\", v1, v2 FROM _mappingkit_base ORDER BY 1, 2")
                == "Garden,1,1,1;Garden,3,3,NULL;Plant,1,1,1")
        let second = try seed(
            "second.sqlite", new,
            "INSERT INTO Garden VALUES(1, 1, 3), (2, 2, NULL), (3, 3, 2); "
                + "INSERT INTO Plant VALUES(1, 1, NULL), (2, 2, 3), (3, 3, 1)")
        try await store.upgradeSeed(to: second)
        // The user has emptied garden 1.
        #expect(try store.text(Self.plantGarden) == "1,3;2,NULL;3,NULL")
        #expect(try store.text("SELECT id, plants FROM Garden ORDER BY id") == "1,NULL;2,NULL;3,1")
    }

    @Test func `lists that were added to the model are kept after an edit`() async throws {
        let (old, new) = (Self.entities(nil, nil), Self.entities(Self.toMany, nil))
        let first = try seed("first.sqlite", old, "INSERT INTO Garden VALUES(1, 1), (2, 2); " + Self.ids)
        let store = try await migrated(first, old, [], to: new)
        try store.write(sql: "INSERT INTO Plant_garden VALUES(1, 2, 0)")
        let second = try seed(
            "second.sqlite", new,
            "INSERT INTO Garden VALUES(1, 1), (2, 2); \(Self.ids)INSERT INTO Plant_garden VALUES(1, 1, 0), (2, 1, 0)")
        try await store.upgradeSeed(to: second)
        #expect(try store.text(Self.pairs("Plant_garden")) == "1,1;1,2;2,1")
    }

    // MARK: Attributes

    private static func shop(_ attributes: AttributeDescription...) -> [EntityDescription] {
        [EntityDescription("Shop", [.string("name")] + attributes)]
    }

    private static let rating = AttributeDescription("rating", AttributeType(.integer), defaultValue: 5)

    @Test func `an edit to the default of an attribute is kept`() async throws {
        let model = Self.shop(Self.rating)
        let first = try seed(
            "first.sqlite", model, "INSERT INTO Shop VALUES(1, 1, 'a', NULL), (2, 2, 'b', 1), (3, 3, 'c', NULL)")
        let store = try await migrated(first, model, ["UPDATE Shop SET rating = 5 WHERE id < 3"], to: model)
        let second = try seed(
            "second.sqlite", model, "INSERT INTO Shop VALUES(1, 1, 'a', 3), (2, 2, 'b', 3), (3, 3, 'c', 3)")
        let report = try await store.upgradeSeed(to: second)
        #expect(try store.text("SELECT id, rating FROM Shop") == "1,5;2,5;3,3")
        #expect(report.conflicts.map(\.property) == ["rating", "rating"])
    }

    @Test func `an attribute that was added has the value of the seed until it is edited`() async throws {
        let (old, new) = (Self.shop(), Self.shop(Self.rating))
        let first = try seed(
            "first.sqlite", old, "INSERT INTO Shop VALUES(1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c'), (4, 4, 'd')")
        let store = try await migrated(
            first, old, ["UPDATE Shop SET name = 'x' WHERE id < 3", "DELETE FROM Shop WHERE id = 4"], to: new)
        try store.write(sql: "UPDATE Shop SET rating = 2 WHERE id = 2")
        let second = try seed(
            "second.sqlite", new,
            "INSERT INTO Shop VALUES(1, 1, 'a', 3), (2, 2, 'b', 3), (3, 3, 'c', 3), (4, 4, 'd', 5)")
        let report = try await store.upgradeSeed(to: second)
        #expect(try store.text("SELECT id, name, rating FROM Shop") == "1,x,3;2,x,2;3,c,3")
        #expect(report.conflicts.map(\.property) == ["rating"])
    }

    @Test func `defaults that replaced null are no edits`() async throws {
        let required = AttributeDescription(
            "rating", AttributeType(.integer), isOptional: false, defaultValue: 5)
        let (old, new) = (Self.shop(Self.rating), Self.shop(required))
        let first = try seed("first.sqlite", old, "INSERT INTO Shop VALUES(1, 1, 'a', NULL), (2, 2, 'b', 1)")
        let store = try await migrated(
            first, old, ["UPDATE Shop SET name = 'x' WHERE id = 1", "UPDATE Shop SET rating = NULL WHERE id = 2"],
            to: new)
        let second = try seed("second.sqlite", new, "INSERT INTO Shop VALUES(1, 1, 'a', 3), (2, 2, 'b', 3)")
        try await store.upgradeSeed(to: second)
        #expect(try store.text("SELECT id, name, rating FROM Shop") == "1,x,3;2,b,5")
    }

    // MARK: Steps

    @Test func `what steps change is no edit, in rows that were edited otherwise`() async throws {
        let (old, new) = (Self.shop(Self.rating), Self.shop(Self.rating, .string("code")))
        let first = try seed(
            "first.sqlite", old, "INSERT INTO Shop VALUES(1, 1, 'a', 1), (2, 2, 'b', 2), (3, 3, 'c', 3), (4, 4, 'd', 4)"
        )
        let middle = try ObjectModel(entities: new)
        let steps = [
            MigrationStep("codes", to: middle, sql: "UPDATE Shop SET code = name"),
            MigrationStep("upper case", sql: "UPDATE Shop SET name = upper(name), code = upper(code)"),
        ]
        let store = try await migrated(
            first, old,
            [
                "UPDATE Shop SET rating = 9 WHERE id = 1", "UPDATE Shop SET name = 'x' WHERE id = 2",
                "DELETE FROM Shop WHERE id = 4",
            ], to: new, steps: steps)
        let second = try seed(
            "second.sqlite", new,
            "INSERT INTO Shop VALUES(1, 1, 'A2', 1, 'A'), (2, 2, 'B2', 2, 'B2'), (3, 3, 'C', 3, 'C'), (4, 4, 'D', 4, 'D')",
            steps: steps)
        let report = try await store.upgradeSeed(to: second)
        #expect(try store.text("SELECT id, name, rating, code FROM Shop") == "1,A2,9,A;2,X,2,B2;3,C,3,C")
        #expect(report.conflicts.map(\.property) == ["name"])
    }

    @Test func `a relationship that one step sets and another one changes is no edit`() async throws {
        let (old, new) = (Self.entities(nil, nil), Self.entities(Self.toOne, nil))
        let first = try seed("first.sqlite", old, "INSERT INTO Garden VALUES(1, 1), (2, 2); " + Self.ids)
        let middle = try ObjectModel(entities: new)
        let steps = [
            MigrationStep("first", to: middle, sql: "UPDATE Plant SET garden = 1"),
            MigrationStep("second", sql: "UPDATE Plant SET garden = 2 WHERE id = 3"),
        ]
        let store = try await migrated(
            first, old, ["DELETE FROM Plant WHERE id = 2", "UPDATE Garden SET id = 7 WHERE id = 2"], to: new,
            steps: steps)
        let second = try seed(
            "second.sqlite", new,
            "INSERT INTO Garden VALUES(1, 1), (2, 2); "
                + "INSERT INTO Plant VALUES(1, 1, 2), (2, 2, 1), (3, 3, 1), (5, 5, NULL)",
            steps: steps)
        let report = try await store.upgradeSeed(to: second)
        let rows = try store.text(Self.plantGarden)
        #expect(rows == "1,2;3,1;5,NULL")
        #expect(report.conflicts.isEmpty)
    }

    @Test func `values that a step converts are compared with those of the seed unless they were edited`() async throws
    {
        let old = [EntityDescription("Shop", [.string("name"), .string("rating")])]
        let new = [EntityDescription("Shop", [.string("name"), .integer("rating")])]
        let first = try seed(
            "first.sqlite", old, "INSERT INTO Shop VALUES(1, 1, 'a', '1'), (2, 2, 'b', '2'), (3, 3, 'c', '3')")
        let step = MigrationStep(
            "ratings", providing: ["Shop.rating"],
            sql: #"UPDATE Shop SET rating = CAST("_mappingkit_old_rating" AS INTEGER)"#)
        let store = try await migrated(
            first, old,
            [
                "UPDATE Shop SET name = 'x' WHERE id = 1", "UPDATE Shop SET rating = '8' WHERE id = 2",
                "DELETE FROM Shop WHERE id = 3",
            ], to: new, steps: [step])
        let second = try seed(
            "second.sqlite", new, "INSERT INTO Shop VALUES(1, 1, 'a', 5), (2, 2, 'b', 5), (3, 3, 'c', 3)",
            steps: [step])
        let report = try await store.upgradeSeed(to: second)
        let rows = try store.text("SELECT id, name, rating FROM Shop")
        #expect(rows == "1,x,5;2,b,8")
        #expect(report.conflicts.map(\.property) == ["rating"])
    }

    // MARK: Reports

    @Test func `objects with other lists are updated`() async throws {
        let entities = Self.entities(Self.toMany, nil)
        let gardens = "INSERT INTO Garden VALUES(1, 1), (2, 2); "
        let first = try seed(
            "first.sqlite", entities,
            gardens + Self.ids + "INSERT INTO Plant_garden VALUES(1, 1, 0), (2, 1, 0), (3, 1, 0)")
        let store = try await migrated(first, entities, ["INSERT INTO Plant_garden VALUES(3, 2, 1)"], to: entities)
        let second = try seed(
            "second.sqlite", entities,
            gardens + Self.newIDs
                + "INSERT INTO Plant_garden VALUES(1, 1, 0), (1, 2, 1), (2, 1, 0), (3, 2, 0), (4, 1, 0), (5, 2, 0)")
        let report = try await store.upgradeSeed(to: second)
        #expect(report["Plant"]?.updated == 3 && report["Plant"]?.inserted == 1, "\(report)")
        #expect(try store.text(Self.pairs("Plant_garden")) == "1,1;1,2;2,1;3,2;4,1;5,2")
    }

    @Test(arguments: [1, 2]) func `a policy that throws names the conflicts`(_ count: Int) async throws {
        let model = Self.shop()
        let first = try seed("first.sqlite", model, "INSERT INTO Shop VALUES(1, 1, 'a'), (2, 2, 'b')")
        let store = try await migrated(
            first, model, ["UPDATE Shop SET name = 'x' WHERE id = 1", "DELETE FROM Shop WHERE id = 2"], to: model)
        let second = try seed(
            "second.sqlite", model, "INSERT INTO Shop VALUES(1, 1, 'c'), (2, 2, '\(count == 1 ? "b" : "c")')")
        let error = await #expect(throws: StoreError.self) {
            try await store.upgradeSeed(to: second, policy: .throwConflict)
        }
        #expect(
            error?.message
                == "the upgrade has \(count == 1 ? "1 conflict" : "2 conflicts") and was not made: Shop.name of Shop/1 was "
                + "changed by the user and by the seed")
        let lines = error?.description.split(separator: "\n").dropFirst().map(String.init)
        #expect(
            lines == ["- Shop.name of Shop/1 was changed by the user and by the seed"]
                + (count == 1 ? [] : ["- Shop/2 was deleted by the user and changed by the seed"]))
    }
}
