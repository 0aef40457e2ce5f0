import Synchronization

/// The objects of one entity in a context by their rows, as weak references.
struct ObjectRegistry {
    private struct Entry {
        weak var object: ManagedObject?
    }

    private var entries: [Int64: Entry] = [:]

    var count: Int { entries.count }

    /// The object of a row, if the program holds it.
    subscript(row: Int64) -> ManagedObject? { entries[row]?.object }

    mutating func add(_ object: ManagedObject, _ row: Int64) { entries[row] = Entry(object: object) }

    mutating func remove(_ row: Int64) { entries[row] = nil }

    /// Forgets a row unless it has an object again.
    mutating func removeReleased(_ row: Int64) {
        if let entry = entries[row], entry.object == nil { entries[row] = nil }
    }

    /// The objects that the program holds.
    var objects: [ManagedObject] { entries.values.compactMap(\.object) }

    mutating func reserve(_ count: Int) { entries.reserveCapacity(entries.count + count) }
}

/// The rows of objects that were released, on any thread.
final class ReleasedRows: Sendable {
    private let rows = Mutex<[(entity: UInt16, row: Int64)]>([])

    func append(_ entity: UInt16, _ row: Int64) { rows.withLock { $0.append((entity, row)) } }

    func take() -> [(entity: UInt16, row: Int64)] {
        rows.withLock { rows in
            defer { rows = [] }
            return rows
        }
    }
}

/// The rows of objects that were fetched together: what one of them needs is read for all.
final class FetchBatch {
    /// How many rows one query reads relationships for.
    static let size = 1000

    let entity: Int
    let rows: [Int64]

    init(entity: Int, rows: [Int64]) {
        self.entity = entity
        self.rows = rows
    }
}
