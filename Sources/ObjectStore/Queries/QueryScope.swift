/// The relationships in a query as a tree: changes of any object in them can change the result.
struct QueryScope {
    private var children: [Int: QueryScope] = [:]

    init(_ query: QueryDescription) {
        add(query.condition)
        for key in query.sortKeys { add(key.operand) }
    }

    private init() {}

    // MARK: The tree

    private mutating func add(_ path: ArraySlice<Int>, _ body: (inout QueryScope) -> Void = { _ in }) {
        guard let first = path.first else { return body(&self) }
        children[first, default: QueryScope()].add(path.dropFirst(), body)
    }

    private mutating func add(_ operand: QueryOperand) {
        add(operand.path.hops[...]) { scope in
            if case .count(let relationship) = operand.target { scope.add([relationship]) }
        }
    }

    private mutating func add(_ node: QueryNode) {
        switch node {
        case .constant, .invalid: break
        case .every(let nodes), .some(let nodes): for node in nodes { add(node) }
        case .not(let node): add(node)
        case .comparison(let operand, _, _), .membership(let operand, _), .text(let operand, _, _): add(operand)
        case .operands(let a, _, let b):
            add(a)
            add(b)
        case .objects(let path, _), .rows(let path, _), .missing(let path): add(path.hops[...])
        case .any(let path, let node): add(path.hops[...]) { $0.add(node) }
        }
    }

    // MARK: Changes

    /// Returns the rows of an entity that unsaved changes can add to the result or remove from it: those known in
    /// memory, and a condition for those in the store that refer to a changed object.
    func affectedRows(
        of entity: StoredEntity, _ core: ContextCore, changed: [Int: Set<Int64>]
    ) -> (rows: Set<Int64>, conditions: [QueryNode]) {
        var rows = changed[entity.index] ?? []
        var conditions: [QueryNode] = []
        for (index, child) in children.sorted(by: { $0.key < $1.key }) {
            let relationship = entity.relationships[index]
            let destination = core.store.entities[relationship.destination]
            let targets = child.affectedRows(of: destination, core, changed: changed)
            // A row can refer to an object by an unsaved change: then the object's inverse refers to it.
            if entity.type.relationships[index].isToMany, let inverse = relationship.inverse {
                let back = destination.type.relationships[inverse]
                for object in targets.rows.compactMap({ core.registries[destination.index][$0] }) {
                    if back.isToMany {
                        rows.formUnion((core.list(inverse, of: object) ?? []).map(\.row))
                    } else if back.row(of: object) != 0 {
                        rows.insert(back.row(of: object))
                    }
                }
            }
            var parts = targets.conditions
            let saved = targets.rows.filter { $0 > 0 }
            if !saved.isEmpty { parts.append(.rows(QueryPath(), saved.sorted())) }
            if !parts.isEmpty { conditions.append(.any(QueryPath(hops: [index]), .some(parts))) }
        }
        return (rows, conditions)
    }
}
