import ObjectMapping

/// The type of a property or column in the reference.
indirect enum ReferenceType: Sendable {
    case integer(ClosedRange<Int128>)
    case double, float, boolean, string, date, decimal, uuid, url, data, json, status
    case optional(ReferenceType)
    case list(ReferenceType)
    case set(ReferenceType)
    /// An object of another mapping, or an array of them.
    case one(isOptional: Bool), many(isOptional: Bool)
    /// A column of a row, or the part of a string that a regular expression extracts for it.
    case column(AttributeType, pattern: String?)
    /// A row of another entity, or several.
    case rows(isToMany: Bool)

    var acceptsNull: Bool {
        switch self {
        case .optional: true
        case .one(let isOptional), .many(let isOptional): isOptional
        default: false
        }
    }
}

/// One rule, with numbers in place of names, so that rules can be random.
struct ReferenceRule {
    var source: JSONKeyPath
    /// The property's index in the model's table.
    var destination: Int
    /// Whether its key is required.
    var isRequired = false
    /// Whether its column requires a value from any source.
    var isWanted = false
    /// The mapping of a relationship's objects, by its index.
    var child = 0
}

/// The rules of a mapping and the table of the model that they fill.
struct ReferenceMapping {
    /// A column joined from strings, which are hidden columns.
    struct Join {
        var destination: Int
        var parts: [Int]
        var separator: String
        var isRequired: Bool
    }

    var model: ReferenceModel
    var rules: [ReferenceRule]
    var joins: [Join] = []
    /// The column with the name of the element's member.
    var nameColumn: Int?
}

/// A model's properties, each with its value in a new model.
struct ReferenceModel: Sendable {
    struct Property: Sendable {
        var name: String
        var type: ReferenceType
        var fresh: String
    }

    var name: String
    var properties: [Property]
}

/// An issue by its kind and position.
struct ReferenceIssue: Hashable, CustomStringConvertible {
    var kind: MappingIssue.Kind
    var path: String
    var offset: Int

    var description: String { "\(kind) at \(path), byte \(offset)" }
}

/// The rules of a mapping, grouped by their first keys.
final class ReferenceLevel {
    enum Action {
        case rule(ReferenceRule)
        /// The rest of the path begins with an operator.
        case operation([JSONKeyPath.Component], ReferenceRule)
        case level(ReferenceLevel)
    }

    private(set) var keys: [String] = []
    // By bytes: strings that Swift considers equal can be different keys.
    private var byKey: [[UInt8]: [Action]] = [:]
    /// Rules for the value as a whole.
    private(set) var whole: [Action] = []

    init(_ rules: [ReferenceRule]) {
        for rule in rules { add(rule, rule.source.components[...]) }
    }

    private func add(_ rule: ReferenceRule, _ path: ArraySlice<JSONKeyPath.Component>) {
        guard case .key(let key)? = path.first else {
            whole.append(path.isEmpty ? .rule(rule) : .operation(Array(path), rule))
            return
        }
        let rest = path.dropFirst()
        if actions(for: key).isEmpty { keys.append(key) }
        switch rest.first {
        case nil: byKey[Array(key.utf8), default: []].append(.rule(rule))
        case .collection: byKey[Array(key.utf8), default: []].append(.operation(Array(rest), rule))
        case .key:
            for case .level(let level) in actions(for: key) { return level.add(rule, rest) }
            let level = ReferenceLevel([])
            level.add(rule, rest)
            byKey[Array(key.utf8), default: []].append(.level(level))
        }
    }

    func actions(for key: String) -> [Action] { byKey[Array(key.utf8)] ?? [] }

    /// All rules at or below an action, with the rest of their paths.
    static func rules(below action: Action) -> [(path: [JSONKeyPath.Component], rule: ReferenceRule)] {
        switch action {
        case .rule(let rule): [([], rule)]
        case .operation(let path, let rule): [(path, rule)]
        case .level(let level):
            level.keys.flatMap { key in
                level.actions(for: key).flatMap { rules(below: $0) }.map { ([.key(key)] + $0.path, $0.rule) }
            }
        }
    }
}
