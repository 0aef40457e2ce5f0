/// A fetch that a remote evaluates.
public struct RemoteFetch: Sendable, Hashable, CustomStringConvertible {
    /// What the caller receives.
    public enum ResultKind: String, Sendable, Hashable {
        /// Objects of the context.
        case objects
        /// The IDs of objects.
        case ids
        /// The number of objects.
        case count
        /// The values of objects.
        case snapshots
    }

    /// A key of the order.
    public struct SortKey: Sendable, Hashable {
        /// The name of the attribute, with the names of to-one relationships before it: `project.name`.
        public let property: String
        /// Whether the order is descending.
        public let isDescending: Bool
    }

    /// The name of the entity.
    public let entity: String
    /// The condition of the objects.
    public let condition: RemoteCondition
    /// The order; the first key counts most.
    public let order: [SortKey]
    /// The maximum number of objects; `nil` for all.
    public let limit: Int?
    /// The number of first objects that are skipped.
    public let offset: Int
    /// What the caller receives.
    public let resultKind: ResultKind
    /// The version of the last answer to this fetch whose objects are in the file; `nil` if they must be returned.
    ///
    /// See ``RemoteObjects/version``.
    public internal(set) var knownVersion: String?

    /// Whether the fetch has all objects of the entity.
    public var isUnrestricted: Bool { condition == .always && limit == nil && offset == 0 }

    /// The entity, the condition, the order and the range, with values: `Person where name = 'Ann', sorted by name`.
    public var description: String {
        var text = entity
        if condition != .always { text += " where \(condition)" }
        let keys = order.map { $0.property + ($0.isDescending ? " descending" : "") }
        if !keys.isEmpty { text += ", sorted by \(keys.joined(separator: ", "))" }
        if let limit { text += ", limit \(limit)" }
        if offset > 0 { text += ", offset \(offset)" }
        return text
    }
}

/// The condition of a fetch, for remotes that evaluate it.
public indirect enum RemoteCondition: Sendable, Hashable, CustomStringConvertible {
    /// All objects.
    case always
    /// No objects.
    case never
    /// A property compared with a value; a property of a target is `project.name`.
    case comparison(String, QueryComparison, StoredValue)
    /// A property has one of several values.
    case isIn(String, [StoredValue])
    /// A test of a text; case and diacritics matter.
    case text(String, QueryTextTest, String)
    /// All of several conditions.
    case every([RemoteCondition])
    /// One of several conditions.
    case some([RemoteCondition])
    /// The opposite of a condition.
    case not(RemoteCondition)
    /// A condition that only the file evaluates, such as one on the objects of a to-many relationship.
    case other

    /// The condition as text, with values.
    public var description: String {
        switch self {
        case .always: "true"
        case .never: "false"
        case .comparison(let name, let comparison, let value):
            "\(name) \(comparison == .notEqual ? "!=" : comparison.rawValue) \(value.shown)"
        case .isIn(let name, let values): "\(name) in (\(values.map(\.shown).joined(separator: ", ")))"
        case .text(let name, let test, let text): "\(name) \(test.rawValue) \(StoredValue.text(text).shown)"
        case .every(let conditions): "(\(conditions.map(\.description).joined(separator: " and ")))"
        case .some(let conditions): "(\(conditions.map(\.description).joined(separator: " or ")))"
        case .not(let condition): "not \(condition)"
        case .other: "…"
        }
    }
}

extension StoredValue {
    fileprivate var shown: String {
        switch self {
        case .null: "nil"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        case .blob(let bytes): "x'\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
        }
    }
}
