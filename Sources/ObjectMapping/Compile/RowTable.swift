/// A table of a plan for rows: the objects of one mapping.
package struct RowTable: Sendable {
    /// The name of the model's type, for messages.
    package var name: String
    /// The model's type; `nil` for an entity of a manifest.
    package var type: Any.Type?
    /// Slot `i` of a row is column `i`.
    package var columns: [RowColumn] = []
    /// The nested relationships, in the order of their indexes in rows.
    package var relationships: [RowLink] = []
    /// The indexes of the columns that identify a row; empty for a table without an identity.
    package var identity: [Int] = []
    /// The column of the modification stamp; `nil` for none.
    package var stamp: Int?
    package var connections: [RowConnection] = []
    /// Whether all values are read by their types alone, without code of the program, policies and nested objects.
    package var isPlain = true
    /// The validations of each object, which the reader of the rows must provide.
    package var checks: [@Sendable (AnyObject) throws -> Void] = []

    /// The names of the rules that require an object.
    package var objectRules: [String] {
        (checks.isEmpty ? [] : ["\(name).validated"])
            + connections.filter(\.needsObject).map { "\(name).\($0.name).when" }
    }
}

extension RowTable {
    /// Creates the table of an entity in a manifest.
    init(_ entity: RowEntity) {
        name = entity.name
        columns = entity.attributes.map { RowColumn(name: $0.name, type: $0.type, isOptional: !$0.isRequired) }
        relationships = entity.relationships.map {
            RowLink(name: $0.name, destination: $0.destination, isToMany: $0.isToMany, policy: .set)
        }
    }
}

/// A column of a table: a property, or an argument of an initializer.
package struct RowColumn: Sendable, Equatable {
    package var name: String
    package var type: AttributeType
    package var isOptional: Bool
}

/// A relationship whose objects are nested in the payload.
package struct RowLink: Sendable, Equatable {
    package var name: String
    /// The index of the destination's table; `nil` if the content of each object selects it.
    package var destination: Int?
    package var isToMany: Bool
    package var policy: AssignmentPolicy
}

/// A relationship that is set by keys.
package struct RowConnection: Sendable {
    package var name: String
    /// The indexes of the columns with the keys.
    package var keys: [Int]
    /// The names of the target's properties that are compared with the keys; `nil` for its identity.
    package var matching: [String]?
    package var conditions: [Condition]

    package enum Condition: Sendable {
        /// A column has a value.
        case equals(column: Int, JSON)
        /// A closure accepts an object.
        case closure(@Sendable (AnyObject) -> Bool)
    }

    /// Whether a condition is a closure.
    package var needsObject: Bool {
        conditions.contains { if case .closure = $0 { true } else { false } }
    }
}
