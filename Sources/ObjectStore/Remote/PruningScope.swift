/// The objects of an entity that a complete answer has, and what happens to others.
struct PruningScope: Sendable {
    enum Removal: Sendable, Equatable {
        case delete
        /// They leave a to-one relationship, by its index.
        case disconnect(Int)
        case keep
    }

    let entity: StoredEntity
    let query: QueryDescription
    let removal: Removal

    /// The scope of all objects of an entity.
    init(all entity: StoredEntity) { (self.entity, query, removal) = (entity, QueryDescription(), .delete) }

    /// The scope of a query.
    ///
    /// - Throws: `StoreError` if the query is invalid.
    init(_ query: QueryDescription, _ entity: StoredEntity, _ pruning: Pruning) throws(StoreError) {
        (self.entity, self.query) = (entity, query)
        let condition = try FlatCondition(query.condition)
        if query.isPage {
            removal = .keep
        } else if condition.isConstantTrue || pruning.deletesMoved {
            removal = .delete
        } else {
            let relationship = Self.relationship(of: condition)
            let canBeEmpty = relationship.map { !entity.relationships[$0].isRequired } ?? false
            removal = canBeEmpty ? relationship.map { .disconnect($0) } ?? .keep : .keep
        }
    }

    /// Returns the to-one relationship whose object all conditions determine; `nil` for other conditions.
    private static func relationship(of condition: FlatCondition) -> Int? {
        var relationship: Int?
        for step in condition.steps {
            let path: QueryPath
            switch step.kind {
            case .every: continue
            case .test(.comparison(let operand, .equal, let value)) where !value.isNull:
                guard case .attribute = operand.target else { return nil }
                path = operand.path
            case .test(.objects(let end, _)): path = end
            default: return nil
            }
            guard path.hops.count == 1, relationship ?? path.hops[0] == path.hops[0] else { return nil }
            relationship = path.hops[0]
        }
        return relationship
    }
}

/// The rows of a response that was saved.
package struct LoadedRows: Sendable {
    /// The rows by entity.
    var rows: [Int: Set<Int64>]
    /// The numbers of the contexts that saved them.
    var authors: Set<Int>
    /// The response that a complete pruning records; `nil` for none.
    var response: ChangeSet.Loaded? = nil

    /// Adds rows that are not removed.
    package mutating func keep(_ all: [LoadedIDs], in store: ManagedObjectStore) {
        for entity in store.entities {
            let kept = all.flatMap { $0.rows(of: entity.name, in: store.identity) }
            if !kept.isEmpty { rows[entity.index, default: []].formUnion(kept) }
        }
    }

    /// Adds the rows of another page; the response of several pages is not recorded.
    package mutating func formUnion(_ other: LoadedRows) {
        rows.merge(other.rows) { $0.union($1) }
        response = nil
        authors.formUnion(other.authors)
    }
}
