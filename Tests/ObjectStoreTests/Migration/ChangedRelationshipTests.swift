import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Relationships that are stored in another way, and properties and entities that were removed.
@Suite struct `Changed relationships` {
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
    private static let plants = RelationshipDescription("plants", to: "Plant", isToMany: true)
    private static let plantsWithInverse = RelationshipDescription(
        "plants", to: "Plant", isToMany: true, inverse: "garden")
    private static let ordered = RelationshipDescription(
        "plants", to: "Plant", isToMany: true, isOrdered: true, inverse: "garden")
    private static let plant = RelationshipDescription("plants", to: "Plant", inverse: "garden")
    private static let manyGardens = RelationshipDescription("garden", to: "Garden", isToMany: true, inverse: "plants")

    struct Change: CustomTestStringConvertible {
        let name: String
        let old: [EntityDescription]
        let rows: String
        let new: [EntityDescription]
        let query: String
        let result: String
        var testDescription: String { name }
    }

    private static let links = "SELECT owner, target, position FROM "

    @Test(arguments: [
        Change(
            name: "one to many", old: entities(toOne, nil), rows: "INSERT INTO Plant VALUES(1, 1, 2), (2, 2, NULL)",
            new: entities(toMany, nil), query: links + "Plant_garden", result: "1,2,0"),
        Change(
            name: "many to one", old: entities(toMany, nil),
            rows: "INSERT INTO Plant VALUES(1, 1), (2, 2); INSERT INTO Plant_garden VALUES(2, 1, 0)",
            new: entities(toOne, nil), query: "SELECT _id, garden FROM Plant", result: "1,NULL;2,1"),
        Change(
            name: "unordered to ordered", old: entities(toOneWithInverse, plantsWithInverse),
            rows: "INSERT INTO Plant VALUES(1, 1, 2), (2, 2, 1), (3, 3, 2)",
            new: entities(toOneWithInverse, ordered), query: links + "Garden_plants ORDER BY 1, 3",
            result: "1,2,0;2,1,0;2,3,1"),
        Change(
            name: "ordered to unordered", old: entities(toOneWithInverse, ordered),
            rows: "INSERT INTO Plant VALUES(1, 1, 2); INSERT INTO Garden_plants VALUES(2, 1, 0)",
            new: entities(toOneWithInverse, plantsWithInverse), query: "SELECT garden FROM Plant", result: "2"),
        Change(
            name: "list without an inverse gets one", old: entities(nil, plants),
            rows: "INSERT INTO Plant VALUES(1, 1), (2, 2); INSERT INTO Garden_plants VALUES(1, 1, 0), (1, 2, 1)",
            new: entities(toOneWithInverse, plantsWithInverse), query: "SELECT garden FROM Plant", result: "1;1"),
        Change(
            name: "reference gets a list as inverse", old: entities(toOne, nil),
            rows: "INSERT INTO Plant VALUES(1, 1, 2), (2, 2, 2)",
            new: entities(toOneWithInverse, ordered), query: links + "Garden_plants", result: "2,1,0;2,2,1"),
        Change(
            name: "reference gets an inverse that is a reference", old: entities(toOne, nil),
            rows: "INSERT INTO Plant VALUES(1, 1, 2), (2, 2, 1)",
            new: entities(toOneWithInverse, plant), query: "SELECT _id, plants FROM Garden ORDER BY _id",
            result: "1,2;2,1"),
        Change(
            name: "one-to-many to many-to-many", old: entities(toOneWithInverse, plantsWithInverse),
            rows: "INSERT INTO Plant VALUES(1, 1, 2), (2, 2, 2)",
            new: entities(manyGardens, plantsWithInverse), query: links + "Garden_plants", result: "2,1,0;2,2,1"),
        Change(
            name: "loses its inverse", old: entities(toOneWithInverse, ordered),
            rows: "INSERT INTO Plant VALUES(1, 1, 2); INSERT INTO Garden_plants VALUES(2, 1, 0)",
            new: entities(nil, plants), query: links + "Garden_plants", result: "2,1,0"),
    ]) func `keep their links`(_ change: Change) throws {
        let file = try MigratedFile(change.old, "INSERT INTO Garden(_id, id) VALUES(1, 1), (2, 2); " + change.rows)
        let store = try file.migrate(to: change.new)
        let found = try store.text(change.query)
        #expect(found == change.result)
        store.close()
        try file.expectComplete(change.new)
    }

    @Test func `are refused if an object would have several objects`() async throws {
        let file = try MigratedFile(
            Self.entities(Self.toMany, nil),
            """
            INSERT INTO Garden VALUES(1, 1), (2, 2); INSERT INTO Plant VALUES(1, 1), (2, 2);
            INSERT INTO Plant_garden VALUES(2, 1, 0), (2, 2, 1), (1, 2, 0)
            """)
        let new = Self.entities(Self.toOne, nil)
        let error = try file.refusal(of: new)
        #expect(error?.kind == .modelMismatch)
        let text = "1 object of 'Plant' would have more than one object in 'garden'"
        #expect(error?.message == "cannot migrate '\(file.url.path)': \(text)")
        let plan = try await ManagedObjectStore.migrationPlan(at: file.url, model: ObjectModel(entities: new))
        #expect(plan.problems == [text])
    }

    @Test func `are refused if their targets, or both sides of an inverse, were independent`() throws {
        let file = try MigratedFile(Self.entities(Self.toOne, Self.plants))
        #expect(
            try file.refusal(of: Self.entities(Self.toOneWithInverse, Self.plantsWithInverse))?.message.contains(
                "(it and its inverse were independent relationships)") == true)
        let other = RelationshipDescription("garden", to: "Plant")
        #expect(
            try file.refusal(of: Self.entities(other, Self.plants))?.message.hasSuffix(
                "'Plant.garden' is a relationship to one Garden in the file and a relationship to one Plant in the class "
                    + "(existing objects refer to another entity)") == true)
    }

    @Test func `and attributes and entities are removed with what the store has recorded about them`() throws {
        let file = try MigratedFile(
            [
                EntityDescription(
                    "Garden", [.string("name"), .string("note")],
                    [RelationshipDescription("plants", to: "Plant", isToMany: true)]),
                EntityDescription(
                    "Plant", [.integer("gardenID")], [RelationshipDescription("garden", to: "Garden", by: ["gardenID"])]
                ),
            ],
            """
            INSERT INTO Garden VALUES(1, 1, 'a', 'b'); INSERT INTO Plant VALUES(1, 1, 1, 1);
            INSERT INTO Garden_plants VALUES(1, 1, 0);
            INSERT INTO "_mappingkit_pending" VALUES('Plant', 1, 'garden', '[7]');
            INSERT INTO "_mappingkit" VALUES('rows.Plant', 5);
            """)
        let new = [EntityDescription("Garden", [.string("note")])]
        let store = try file.migrate(to: new)
        #expect(try store.text("SELECT * FROM Garden") == "1,1,b")
        #expect(try store.text("SELECT count(*) FROM _mappingkit_pending") == "0")
        #expect(try store.text("SELECT count(*) FROM _mappingkit WHERE key LIKE 'rows.%'") == "0")
        store.close()
        try file.expectComplete(new)
    }

    @Test func `a file of another program's entities is refused`() throws {
        let file = try MigratedFile([EntityDescription("Garden")], "INSERT INTO Garden VALUES(1, 1)")
        let error = try file.refusal(of: [EntityDescription("Song")])
        #expect(error?.message.hasSuffix("(the file and the model have no entity in common)") == true)
    }

    @Test func `an attribute can become a relationship of the same name, and the reverse`() throws {
        let relationship = [
            EntityDescription("Plant", [], [RelationshipDescription("garden", to: "Garden")]),
            EntityDescription("Garden"),
        ]
        let attribute = [EntityDescription("Plant", [.string("Garden")]), EntityDescription("Garden")]
        let file = try MigratedFile(attribute, "INSERT INTO Plant VALUES(1, 1, 'x')")
        #expect(try file.migrate(to: relationship).text("SELECT garden FROM Plant") == "NULL")
        try file.expectComplete(relationship)
        let third = [EntityDescription("Plant", [.integer("garden")]), EntityDescription("Garden")]
        try file.migrate(to: third).close()
        try file.expectComplete(third)
    }
}
