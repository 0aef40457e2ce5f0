import ObjectMapping
import Synchronization

/// Committed rows, which the contexts of the database share.
final class Database: Sendable {
    /// Targets of a relationship, some of which can be missing.
    struct Link {
        let connection: ObjectConnection
        let keys: [ObjectKey]
    }

    struct Row {
        let entity: Entity
        let key: ObjectKey?
        let values: [any Sendable]
        let targets: [[Int]]
        /// By the name of the relationship.
        let links: [String: Link]
        var version = 0
    }

    /// The change of one row by a save of a context.
    struct Change {
        let number: Int
        /// The version that the context loaded; nil for a new row.
        let version: Int?
        /// nil for a deleted row.
        let row: Row?
    }

    private struct State {
        var rows: [Int: Row] = [:]
        /// The numbers of the rows of a type, by key.
        var numbers: [ObjectIdentifier: [ObjectKey: Int]] = [:]
        var numbersWithLinks: Set<Int> = []
        var lastNumber = 0
    }

    private let state = Mutex(State())

    func nextNumber() -> Int {
        state.withLock {
            $0.lastNumber += 1
            return $0.lastNumber
        }
    }

    subscript(number: Int) -> Row? { state.withLock { $0.rows[number] } }

    /// The rows whose relationships have missing targets.
    var numbersWithLinks: [Int] { state.withLock { $0.numbersWithLinks.sorted() } }

    func number(of key: ObjectKey, in entity: Entity) -> Int? { state.withLock { $0.numbers[entity.id]?[key] } }

    /// The numbers of the rows of an entity, or of all rows.
    func numbers(of entity: Entity? = nil) -> [Int] {
        state.withLock { state in
            state.rows.filter { entity == nil || $0.value.entity.name == entity?.name }.keys.sorted()
        }
    }

    /// Saves changes, all or none of them.
    ///
    /// - Throws: `ValidationFailure` if another context has changed a row since, or has inserted the same key.
    func save(_ changes: [Change]) throws {
        try state.withLock { state in
            let changed = Set(changes.map(\.number))
            for change in changes {
                guard state.rows[change.number]?.version == change.version else {
                    throw ValidationFailure("another context has changed the row")
                }
                guard let row = change.row, let key = row.key else { continue }
                if let other = state.numbers[row.entity.id]?[key], !changed.contains(other) {
                    throw ValidationFailure("another \(row.entity.name) has the same key")
                }
            }
            for change in changes {
                guard let old = state.rows.removeValue(forKey: change.number) else { continue }
                if let key = old.key { state.numbers[old.entity.id]?[key] = nil }
                state.numbersWithLinks.remove(change.number)
            }
            for change in changes {
                guard var row = change.row else { continue }
                row.version = (change.version ?? 0) + 1
                state.rows[change.number] = row
                if let key = row.key { state.numbers[row.entity.id, default: [:]][key] = change.number }
                if !row.links.isEmpty { state.numbersWithLinks.insert(change.number) }
            }
        }
    }
}

extension Database: CustomStringConvertible {
    /// The rows, one per line.
    var description: String {
        state.withLock { state in
            state.rows.sorted { $0.key < $1.key }.map { number, row in
                "\(row.entity.name) #\(number) \(row.values) \(row.targets) \(row.links.keys.sorted())"
            }.joined(separator: "\n")
        }
    }

    /// The names of the stored entities, sorted.
    var entities: [String] {
        state.withLock { $0.rows.values.map(\.entity.name).sorted() }
    }
}
