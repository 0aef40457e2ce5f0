import ObjectMapping
import ObjectStore

/// Lists of every kind, for tests of several contexts.
final class Box: ManagedObject {
    @Stored(.identity) var id = 0
    @ToMany(inverse: \Item.box, isOrdered: true) var items: [Item]
    @ToMany(inverse: \Item.shelf) var bag: [Item]
    @ToMany(inverse: \Item.row, sortedBy: \.n) var sorted: [Item]
    @ToMany(inverse: \Item.labels, isOrdered: true) var marks: [Item]
    @ToMany(inverse: \Item.fans) var likes: [Item]
    @ToMany(inverse: nil) var loose: [Item]
    @ToOne(inverse: \Item.keyOf) var key: Item?

    convenience init(_ id: Int, in context: ObjectContext) {
        self.init(in: context)
        self.id = id
    }
}

final class Item: ManagedObject {
    @Stored(.identity) var id = 0
    @Stored var n = 0
    @Stored var m = 0
    @ToOne var box: Box?
    @ToOne var shelf: Box?
    @ToOne var row: Box?
    @ToMany var labels: [Box]
    @ToMany var fans: [Box]
    @ToOne var keyOf: Box?

    convenience init(_ id: Int, in context: ObjectContext) {
        self.init(in: context)
        self.id = id
    }
}

enum Boxes {
    static let policies = [MergePolicy.throwConflict, .storeWins, .objectWins]

    static func model() throws -> ObjectModel { try ObjectModel(Box.self, Item.self) }

    static func store() throws -> ManagedObjectStore { try ManagedObjectStore(inMemory: model()) }

    /// Returns what contradicts itself in a file: a column and a table of links, two sides, or positions.
    static func contradictions(in store: ManagedObjectStore) throws -> [String] {
        let statements = [
            "link": """
            SELECT "owner", "target", "box" FROM "Box_items" LEFT JOIN "Item" ON "_id" = "target" \
            WHERE "box" IS NOT "owner"
            """,
            "no link": """
            SELECT "_id", "box" FROM "Item" WHERE "box" IS NOT NULL AND "_id" NOT IN (SELECT "target" FROM "Box_items")
            """,
            "key": """
            SELECT b."_id", b."key", i."keyOf" FROM "Box" AS b LEFT JOIN "Item" AS i ON i."_id" = b."key" \
            WHERE b."key" IS NOT NULL AND i."keyOf" IS NOT b."_id"
            """,
            "keyOf": """
            SELECT i."_id", i."keyOf", b."key" FROM "Item" AS i LEFT JOIN "Box" AS b ON b."_id" = i."keyOf" \
            WHERE i."keyOf" IS NOT NULL AND b."key" IS NOT i."_id"
            """,
            "positions of items": """
            SELECT "owner", "position" FROM "Box_items" GROUP BY 1, 2 HAVING count(*) > 1
            """,
            "positions of marks": """
            SELECT "owner", "position" FROM "Box_marks" GROUP BY 1, 2 HAVING count(*) > 1
            """,
        ]
        return try statements.sorted { $0.key < $1.key }.flatMap { name, sql in
            try store.rows(sql: sql).map { "\(name): \($0.values)" }
        }
    }
}
