public import ObjectMapping

/// When an import commits the rows that it has written.
public enum ImportCommit: Sendable, Hashable {
    /// At the end, everything in one transaction.
    case once
    /// After each batch of a number of elements.
    case every(Int)

    /// The number of elements per transaction.
    var batchSize: Int {
        switch self {
        case .once: .max
        case .every(let count): max(1, count)
        }
    }
}

/// The rows written by an import, up to its last commit.
public struct ImportReport: Sendable, Hashable {
    /// The number of rows of one entity.
    public struct Entity: Sendable, Hashable {
        /// The name of the entity.
        public let name: String
        /// New rows.
        public internal(set) var inserted = 0
        /// Rows with a changed attribute or relationship.
        public internal(set) var updated = 0
        /// Rows that were not written: all values were equal, or the payload was not newer.
        public internal(set) var unchanged = 0
        /// Rows that relationships with the policy `.replace` deleted.
        public internal(set) var deleted = 0
        /// Relationships that were set by keys, including those that waited for their target.
        public internal(set) var connected = 0
        /// Unresolved relationships of this import.
        public internal(set) var waiting = 0

        init(_ name: String) { self.name = name }
    }

    /// The entities of the store, in the order of its model.
    public internal(set) var entities: [Entity]
    /// The number of elements that were imported.
    public internal(set) var elements = 0
    /// The number of elements that were skipped because of their issues.
    public internal(set) var skipped = 0
    /// The issues of skipped elements, up to 1,000.
    public internal(set) var issues: [MappingIssue] = []

    /// The rules that required an object, such as `Ticket.validated` and `Ticket.assignee.when`.
    ///
    /// They are evaluated with one object of each class, which receives the values of each row and has no
    /// relationships. Every row with such a rule is read from the store before it is written.
    public internal(set) var objectRules: [String] = []

    static let maximumOfIssues = 1000

    init(entities: [String]) { self.entities = entities.map(Entity.init) }

    /// The numbers of an entity; `nil` for an unknown name.
    public subscript(entity: String) -> Entity? { entities.first { $0.name == entity } }

    /// New rows of all entities.
    public var inserted: Int { total(\.inserted) }
    /// Rows of all entities with a changed attribute or relationship.
    public var updated: Int { total(\.updated) }
    /// Rows of all entities that were not written.
    public var unchanged: Int { total(\.unchanged) }
    /// Rows of all entities that relationships with the policy `.replace` deleted.
    public var deleted: Int { total(\.deleted) }
    /// Relationships of all entities that were set by keys.
    public var connected: Int { total(\.connected) }
    /// Unresolved relationships of all entities.
    public var waiting: Int { total(\.waiting) }

    private func total(_ count: KeyPath<Entity, Int>) -> Int { entities.reduce(0) { $0 + $1[keyPath: count] } }

    mutating func skip(_ issues: [MappingIssue]) {
        skipped += 1
        self.issues += issues.prefix(max(0, Self.maximumOfIssues - self.issues.count))
    }
}

extension ImportReport: CustomStringConvertible {
    /// The numbers of elements, and a line with the numbers of each entity that has any.
    public var description: String {
        let skips = skipped == 0 ? "" : ", \(skipped) skipped"
        var lines = ["\(elements) \(elements == 1 ? "element" : "elements") imported\(skips)"]
        for entity in entities {
            let counts = [
                (entity.inserted, "inserted"), (entity.updated, "updated"), (entity.unchanged, "unchanged"),
                (entity.deleted, "deleted"), (entity.connected, "connected"), (entity.waiting, "waiting"),
            ]
            let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            if !parts.isEmpty { lines.append("\(entity.name): \(parts.joined(separator: ", "))") }
        }
        return lines.joined(separator: "\n")
    }
}

/// The reason why an import failed, and the rows that it had committed before.
public struct ImportError: Error, CustomStringConvertible {
    /// A `MappingError` with the positions of all issues, a `StoreError`, or the error of the input.
    public let cause: any Error
    /// The index of the element that could not be written; `nil` if the cause is not a single element.
    public let element: Int?
    /// The path of this element, such as `$.tasks[3]`, or of the first issue; `nil` if it is unknown.
    public let path: String?
    /// The line of this element, or of the first issue; 0 if it is unknown.
    public let line: Int
    /// The column of this position, in Unicode scalars, starting at 1; 0 if it is unknown.
    public let column: Int
    /// The committed rows; the batch with the error was rolled back.
    public let committed: ImportReport

    init(
        _ cause: any Error, element: Int? = nil, path: String? = nil, at position: TextPosition? = nil,
        committed: ImportReport
    ) {
        self.cause = cause
        self.element = element
        let issue = (cause as? MappingError)?.issues.first
        self.path = path ?? issue?.path
        line = position?.line ?? issue?.line ?? 0
        column = position?.column ?? issue?.column ?? 0
        self.committed = committed
    }

    /// The cause, with the position of the element, and the number of committed elements.
    public var description: String {
        let place = cause is MappingError || line == 0 ? "" : "\(line):\(column) \(path.map { "\($0): " } ?? "")"
        return "\(place)\(cause) (\(committed.elements) elements were committed)"
    }
}
