import ObjectMapping
import ObjectStore

/// Lists of every kind, for tests of several contexts.
final class Carton: ManagedObject {
    @Stored(.identity) var id = 0
    @ToMany(inverse: \Sundry.carton, isOrdered: true) var sundries: [Sundry]
    @ToMany(inverse: \Sundry.shelf) var bag: [Sundry]
    @ToMany(inverse: \Sundry.row, sortedBy: \.n) var sorted: [Sundry]
    @ToMany(inverse: \Sundry.labels, isOrdered: true) var marks: [Sundry]
    @ToMany(inverse: \Sundry.fans) var likes: [Sundry]
    @ToMany(inverse: nil) var loose: [Sundry]
    @ToOne(inverse: \Sundry.keyOf) var key: Sundry?

    convenience init(_ id: Int, in context: ObjectContext) {
        self.init(in: context)
        self.id = id
    }
}

final class Sundry: ManagedObject {
    @Stored(.identity) var id = 0
    @Stored var n = 0
    @Stored var m = 0
    @ToOne var carton: Carton?
    @ToOne var shelf: Carton?
    @ToOne var row: Carton?
    @ToMany var labels: [Carton]
    @ToMany var fans: [Carton]
    @ToOne var keyOf: Carton?

    convenience init(_ id: Int, in context: ObjectContext) {
        self.init(in: context)
        self.id = id
    }
}

enum Cartons {
    static let policies = [MergePolicy.throwConflict, .storeWins, .objectWins]

    static func model() throws -> ObjectModel { try ObjectModel(Carton.self, Sundry.self) }

    static func store() throws -> ManagedObjectStore { try ManagedObjectStore(inMemory: model()) }

    /// Returns what contradicts itself in a file: a column and a table of links, two sides, or positions.
    static func contradictions(in store: ManagedObjectStore) throws -> [String] {
        let statements = [
            "link": """
            SELECT "owner", "target", "carton" FROM "Carton_sundries" LEFT JOIN "Sundry" ON "_id" = "target" \
            WHERE "carton" IS NOT "owner"
            """,
            "no link": """
            SELECT "_id", "carton" FROM "Sundry" WHERE "carton" IS NOT NULL AND "_id" NOT IN (SELECT "target" FROM "Carton_sundries")
            """,
            "key": """
            SELECT b."_id", b."key", i."keyOf" FROM "Carton" AS b LEFT JOIN "Sundry" AS i ON i."_id" = b."key" \
            WHERE b."key" IS NOT NULL AND i."keyOf" IS NOT b."_id"
            """,
            "keyOf": """
            SELECT i."_id", i."keyOf", b."key" FROM "Sundry" AS i LEFT JOIN "Carton" AS b ON b."_id" = i."keyOf" \
            WHERE i."keyOf" IS NOT NULL AND b."key" IS NOT i."_id"
            """,
            "positions of sundries": """
            SELECT "owner", "position" FROM "Carton_sundries" GROUP BY 1, 2 HAVING count(*) > 1
            """,
            "positions of marks": """
            SELECT "owner", "position" FROM "Carton_marks" GROUP BY 1, 2 HAVING count(*) > 1
            """,
        ]
        return try statements.sorted { $0.key < $1.key }.flatMap { name, sql in
            try store.rows(sql: sql).map { "\(name): \($0.values)" }
        }
    }
}
