import ObjectMapping
import Synchronization

/// Committed rows, which the contexts of the database share.
final class Database: Sendable {
    struct Slot: Hashable {
        let entity: String
        let key: ObjectKey
    }

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

        var slot: Slot? { key.map { Slot(entity: entity.name, key: $0) } }
    }

    /// The changes of one save of a context.
    struct Changes {
        /// nil for a deleted row.
        var rows: [Int: Row?] = [:]
        /// The versions that the context loaded.
        var versions: [Int: Int] = [:]
    }

    private struct State {
        var rows: [Int: Row] = [:]
        var numbers: [Slot: Int] = [:]
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

    func number(of slot: Slot) -> Int? { state.withLock { $0.numbers[slot] } }

    func numbers(where condition: @Sendable (Row) -> Bool) -> [Int] {
        state.withLock { state in state.rows.filter { condition($0.value) }.keys.sorted() }
    }

    /// Saves changes, all or none of them.
    ///
    /// - Throws: `ValidationFailure` if another context has changed a row since, or has inserted the same key.
    func save(_ changes: Changes) throws {
        try state.withLock { state in
            var next = state
            for (number, _) in changes.rows {
                guard next.rows[number]?.version == changes.versions[number] else {
                    throw ValidationFailure("another context has changed the row")
                }
                if let slot = next.rows.removeValue(forKey: number)?.slot { next.numbers[slot] = nil }
            }
            for (number, row) in changes.rows {
                guard var row else { continue }
                row.version = (changes.versions[number] ?? 0) + 1
                next.rows[number] = row
                guard let slot = row.slot else { continue }
                guard next.numbers.updateValue(number, forKey: slot) == nil else {
                    throw ValidationFailure("another \(slot.entity) has the same key")
                }
            }
            state = next
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
