/// The relationships in a query, from its objects: changes of any object at the end of one can change the result.
struct QueryScope {
    /// The paths of relationships and all their beginnings.
    private var paths: Set<[Int]> = []

    init(_ condition: FlatCondition, _ sortKeys: [QueryDescription.SortKey]) {
        // The ends of the conditions for to-many relationships, and the paths to their objects.
        var open: [(end: Int, path: [Int])] = []
        for (index, step) in condition.steps.enumerated() {
            while let last = open.last, last.end <= index { open.removeLast() }
            let path = open.last?.path ?? []
            switch step.kind {
            case .every, .some, .not: break
            case .any(let relationship):
                open.append((step.end, path + relationship.hops))
                add(path + relationship.hops)
            case .test(.comparison(let operand, _, _)), .test(.membership(let operand, _)),
                .test(.text(let operand, _, _)), .test(.element(let operand, _)):
                add(operand, after: path)
            case .test(.operands(let a, _, let b)):
                add(a, after: path)
                add(b, after: path)
            case .test(.objects(let end, _)), .test(.missing(let end)), .test(.search(let end, _, _)):
                add(path + end.hops)
            case .test(.constant), .test(.invalid): break
            }
        }
        for key in sortKeys { add(key.operand, after: []) }
    }

    private mutating func add(_ operand: QueryOperand, after path: [Int]) {
        if case .count(let relationship) = operand.target {
            add(path + operand.path.hops + [relationship])
        } else {
            add(path + operand.path.hops)
        }
    }

    /// Adds a path, and all its beginnings.
    mutating func add(_ path: [Int]) {
        var path = path
        while !path.isEmpty, paths.insert(path).inserted { path.removeLast() }
    }

    /// Returns the entities of the query's objects and of those at the ends of its relationships.
    func entities(of entity: StoredEntity, in store: ManagedObjectStore) -> Set<Int> {
        Set(
            paths.map { path in
                path.reduce(entity) { store.entities[$0.relationships[$1].destination] }.index
            }
        ).union([entity.index])
    }

    // MARK: Changes

    /// Returns the rows of an entity that unsaved changes can add to the result of a query or remove from it: those
    /// known in memory, and the paths by which others in the store can refer to changed objects, with their rows.
    func affectedRows(
        of entity: StoredEntity, _ core: ContextCore, changed: [Int: Set<Int64>]
    ) -> (rows: Set<Int64>, ends: [(path: [Int], rows: [Int64])]) {
        var known: [[Int]: Set<Int64>] = [[]: changed[entity.index] ?? []]
        var ends: [(path: [Int], rows: [Int64])] = []
        for path in paths.sorted(by: { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count })
        {
            let source = path.dropLast().reduce(entity) { core.store.entities[$0.relationships[$1].destination] }
            let hop = path[path.count - 1]
            let relationship = source.relationships[hop]
            let destination = core.store.entities[relationship.destination]
            let rows = known[path, default: []].union(changed[destination.index] ?? [])
            // A row can refer to an object by an unsaved change: then the object's inverse refers to it.
            if relationship.isToMany, let inverse = relationship.inverse {
                let back = destination.type.relationships[inverse]
                for object in rows.compactMap({ core.registries[destination.index][$0] }) {
                    let owners =
                        back.isToMany ? (core.list(inverse, of: object) ?? []).map(\.row) : [back.row(of: object)]
                    known[Array(path.dropLast()), default: []].formUnion(owners.filter { $0 != 0 })
                }
            }
            let saved = rows.filter { $0 > 0 }
            if !saved.isEmpty { ends.append((path, saved.sorted())) }
        }
        return (known[[]] ?? [], ends)
    }
}
