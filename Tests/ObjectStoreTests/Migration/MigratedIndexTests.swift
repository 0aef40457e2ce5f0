import ObjectMapping
import Testing

@testable import ObjectStore

/// The indexes of columns and tables whose names were those of others.
@Suite struct `Indexes of a migrated file` {
    /// An entity with an identity and an attribute.
    private static func entity(
        _ name: String, _ identity: AttributeDescription, _ other: AttributeDescription, was: [String] = []
    ) -> EntityDescription {
        EntityDescription(name, identifiedBy: [identity.name], attributes: [identity, other], formerNames: was)
    }

    private static func unique(_ name: String, was: String...) -> AttributeDescription {
        AttributeDescription(name, AttributeType(.string), formerNames: was, isUnique: true)
    }

    private static func indexed(_ name: String, _ kind: AttributeType.Scalar) -> AttributeDescription {
        AttributeDescription(name, AttributeType(kind), isIndexed: true)
    }

    private static let changes: [(old: [EntityDescription], new: [EntityDescription])] = [
        // The identity takes the name that another attribute gave up.
        (
            [entity("P", .integer("id"), unique("key"))],
            [entity("P", .string("id", was: "key"), .integer("legacyID", was: "id"))]
        ),
        (
            [EntityDescription("P", [unique("mail"), unique("phone")])],
            [EntityDescription("P", [unique("phone", was: "mail"), unique("fax", was: "phone")])]
        ),
        (
            [EntityDescription("P", [.string("a")]), EntityDescription("Q", [.string("b")])],
            [
                EntityDescription("Q", [.string("a")], was: ["P"]),
                EntityDescription("T", [.string("b")], was: ["Q"]),
            ]
        ),
        (
            [EntityDescription("P", [indexed("a", .string)]), EntityDescription("Q")],
            [EntityDescription("P", [], [RelationshipDescription("a", to: "Q")]), EntityDescription("Q")]
        ),
    ]

    @Test(arguments: changes.indices) func `are those of the new names`(_ index: Int) throws {
        let (old, new) = Self.changes[index]
        let file = try MigratedFile(old)
        let store = try file.migrate(to: new)
        try MigratedFile.expectComplete(store, new)
        store.close()
        try file.expectComplete(new)
    }

    @Test func `are kept for an attribute whose type a step changes`() throws {
        let old = [EntityDescription("P", [Self.indexed("age", .string)])]
        let new = [EntityDescription("P", [Self.indexed("age", .integer)])]
        let file = try MigratedFile(old, #"INSERT INTO "P"("_id", "id", "age") VALUES(1, 1, '41')"#)
        let step = MigrationStep(
            "ages", providing: ["P.age"], sql: #"UPDATE "P" SET "age" = CAST("_mappingkit_old_age" AS INTEGER)"#)
        let store = try file.migrate(to: new, steps: [step])
        try MigratedFile.expectComplete(store, new)
        #expect(try store.text(#"SELECT "age", typeof("age") FROM "P""#) == "41,integer")
    }
}
