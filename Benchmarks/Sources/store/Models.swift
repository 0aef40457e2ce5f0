import ObjectStore
import Observation
import SQLiteLoop

#if GRDB
    import GRDB
#endif

/// The fetched and saved class, with five attributes.
final class Item: ManagedObject {
    @Stored(.identity) var itemID = 0
    @Stored var name = ""
    @Stored var hours: Double? = nil
    @Stored var owner: Int? = nil
    @Stored var note: String? = nil

    @inline(never) func sumOfProperties() -> Int {
        itemID &+ name.utf8.count &+ Int(hours ?? 0) &+ (owner ?? 0) &+ (note?.utf8.count ?? 0)
    }

    /// Reads all properties repeatedly.
    ///
    /// The compiler cannot see the called function, so it reads the properties again.
    @inline(never) func read(_ count: Int) -> Int {
        var sum = 0
        for _ in 0..<count {
            sum &+= itemID &+ name.utf8.count &+ Int(hours ?? 0) &+ (owner ?? 0) &+ (note?.utf8.count ?? 0)
            item_loop_barrier()
        }
        return sum
    }

    /// Writes three properties repeatedly.
    @inline(never) func write(_ count: Int) {
        for value in 0..<count {
            itemID = value
            hours = 0.5
            owner = value
            item_loop_barrier()
        }
    }
}

/// The same class without a store.
final class PlainItem {
    var itemID = 0
    var name = ""
    var hours: Double?
    var owner: Int?
    var note: String?

    @inline(never) func sumOfProperties() -> Int {
        itemID &+ name.utf8.count &+ Int(hours ?? 0) &+ (owner ?? 0) &+ (note?.utf8.count ?? 0)
    }

    /// Reads all properties repeatedly.
    ///
    /// The compiler cannot see the called function, so it reads the properties again.
    @inline(never) func read(_ count: Int) -> Int {
        var sum = 0
        for _ in 0..<count {
            sum &+= itemID &+ name.utf8.count &+ Int(hours ?? 0) &+ (owner ?? 0) &+ (note?.utf8.count ?? 0)
            item_loop_barrier()
        }
        return sum
    }

    /// Writes three properties repeatedly.
    @inline(never) func write(_ count: Int) {
        for value in 0..<count {
            itemID = value
            hours = 0.5
            owner = value
            item_loop_barrier()
        }
    }
}

/// A class that reports its accesses, as those of the main context do.
@Observable final class ObservableItem {
    var itemID: Int

    init(_ itemID: Int) { self.itemID = itemID }
}

/// The common properties of objects and records.
protocol KeyedItem {
    var itemID: Int { get }
}

/// The common properties of both classes, so that one function fills them.
protocol ItemProperties: AnyObject, KeyedItem {
    var itemID: Int { get set }
    var name: String { get set }
    var hours: Double? { get set }
    var owner: Int? { get set }
    var note: String? { get set }
}

extension Item: ItemProperties {}
extension PlainItem: ItemProperties {}

extension ItemProperties {
    /// Sets the values that the rows of all peers have.
    func fill(_ key: Int) {
        itemID = key
        name = "Build the kettle number \(key)"
        hours = Double(key) / 4
        owner = key % 50
        note = key % 3 == 0 ? nil : "a note"
    }
}

#if GRDB
    /// The record as GRDB derives it from `Codable`.
    struct CodableItem: Codable, KeyedItem, FetchableRecord, TableRecord {
        static let databaseTableName = "Item"
        let itemID: Int
        let name: String
        let hours: Double?
        let owner: Int?
        let note: String?
    }

    /// The record with a manual initializer, as in GRDB's README: columns by name.
    struct NamedItem: KeyedItem, FetchableRecord, TableRecord {
        static let databaseTableName = "Item"
        let itemID: Int
        let name: String
        let hours: Double?
        let owner: Int?
        let note: String?

        init(row: Row) {
            itemID = row["itemID"]
            name = row["name"]
            hours = row["hours"]
            owner = row["owner"]
            note = row["note"]
        }
    }

    /// The fastest interface of GRDB: columns by position.
    struct PositionedItem: KeyedItem, FetchableRecord, TableRecord {
        static let databaseTableName = "Item"
        let itemID: Int
        let name: String
        let hours: Double?
        let owner: Int?
        let note: String?

        init(row: Row) {
            itemID = row[1]
            name = row[2]
            hours = row[3]
            owner = row[4]
            note = row[5]
        }
    }
#endif
