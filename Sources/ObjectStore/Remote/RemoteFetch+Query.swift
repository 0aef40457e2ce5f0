extension RemoteFetch {
    /// - Throws: `StoreError` if the query is invalid.
    init(
        _ query: QueryDescription, _ entity: StoredEntity, in entities: [StoredEntity], _ kind: ResultKind
    ) throws(StoreError) {
        let reader = QueryReader(entities: entities, entity: entity)
        self.init(
            entity: entity.name, condition: try reader.condition(query.condition),
            order: query.sortKeys.map { key in
                SortKey(
                    property: reader.name(of: key.operand) ?? key.operand.name, isDescending: key.isDescending)
            }, limit: query.limit, offset: query.offset, resultKind: kind)
    }
}

/// Describes the conditions of a query by the names of properties.
private struct QueryReader {
    let entities: [StoredEntity]
    let entity: StoredEntity

    func condition(_ node: QueryNode) throws(StoreError) -> RemoteCondition {
        condition(try FlatCondition(node).steps, at: 0)
    }

    /// - Parameter index: The position of a step; the depth of the steps is limited.
    private func condition(_ steps: [FlatCondition.Step], at index: Int) -> RemoteCondition {
        var members: [RemoteCondition] {
            var members: [RemoteCondition] = []
            var next = index + 1
            while next < steps[index].end {
                members.append(condition(steps, at: next))
                next = steps[next].end
            }
            return members
        }
        switch steps[index].kind {
        case .test(let test): return condition(test)
        case .every: return .every(members)
        case .some: return .some(members)
        case .not: return .not(members.first ?? .other)
        case .any: return .other
        }
    }

    private func condition(_ test: QueryTest) -> RemoteCondition {
        switch test {
        case .constant(let isTrue): isTrue ? .always : .never
        case .comparison(let operand, let comparison, let value):
            name(of: operand).map { .comparison($0, comparison, value) } ?? .other
        case .membership(let operand, let values): name(of: operand).map { .isIn($0, values) } ?? .other
        case .text(let operand, let test, let text):
            name(of: operand).map { .text($0, test, text) } ?? .other
        case .missing(let path): name(of: path).map { .comparison($0, .equal, .null) } ?? .other
        case .operands, .element, .objects, .search, .invalid: .other
        }
    }

    /// Returns the name of an attribute with the relationships before it; `nil` for folded texts and for numbers of objects.
    func name(of operand: QueryOperand) -> String? {
        guard case .attribute(let attribute) = operand.target, operand.folding.isEmpty else { return nil }
        return name(of: operand.path).map { $0.isEmpty ? attribute.name : "\($0).\(attribute.name)" }
    }

    private func name(of path: QueryPath) -> String? {
        var names: [String] = []
        var source = entity
        for hop in path.hops {
            guard source.relationships.indices.contains(hop) else { return nil }
            names.append(source.relationships[hop].name)
            source = entities[source.relationships[hop].destination]
        }
        return names.joined(separator: ".")
    }
}
