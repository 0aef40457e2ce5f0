/// Reading the targets of relationships from the store.
extension ContextCore {
    /// Reads the target of a to-one relationship, including the targets of all objects that were fetched together.
    func readTarget(of object: ManagedObject, _ index: Int, row: Int64) -> ManagedObject? {
        // A new object that was deleted.
        guard row > 0 else { return nil }
        let source = entity(of: object)
        let destination = store.entities[source.relationships[index].destination]
        let property = source.type.relationships[index]
        var rows: Set<Int64> = [row]
        for other in object.batch?.rows ?? [] {
            guard let other = registries[source.index][other], !other.access.contains(.fault) else { continue }
            let target = property.row(of: other)
            if target > 0, registries[destination.index][target] == nil { rows.insert(target) }
        }
        do {
            let targets = try read(destination, rows: rows.sorted())
            reads.retain(targets)
        } catch {
            if reads.ahead?.missing == nil { note(error, on: object) }
        }
        return registries[destination.index][row]
    }

    /// Reads the objects of a to-many relationship, for all objects that were fetched together.
    func loadTargets(of object: ManagedObject, _ index: Int) {
        let source = entity(of: object)
        guard list(index, of: object) == nil else { return }
        var owners = (object.batch?.rows ?? []).compactMap { registries[source.index][$0] }.filter { owner in
            owner.row > 0 && list(index, of: owner) == nil
        }
        if !owners.contains(where: { $0 === object }) { owners.append(object) }
        loadTargets(of: owners, index)
    }

    /// Reads the objects of a to-many relationship, for objects of one entity whose lists are not in memory.
    func loadTargets(of owners: [ManagedObject], _ index: Int) {
        guard let first = owners.first else { return }
        let source = entity(of: first)
        let property = source.type.relationships[index]
        var targets: [Int64: [ManagedObject]] = [:]
        do {
            targets = try readTargets(of: source, index, owners: owners.map(\.row).filter { $0 > 0 })
        } catch {
            if reads.ahead?.missing != nil { return }
            // An object whose list cannot be read does not hide those of others.
            if error.kind == .corrupt, owners.count > 1 {
                for owner in owners { loadTargets(of: [owner], index) }
                return
            }
            for owner in owners { note(error, on: owner) }
        }
        let relationship = source.relationships[index]
        let former = formerMembers(of: index, source)
        for owner in owners {
            var list = targets[owner.row] ?? []
            align(&list, of: owner, index, former[owner.row] ?? [])
            adjust(&list, of: owner, index)
            if let attribute = relationship.sortedBy {
                sort(&list, by: entity(of: relationship).type.attributes[attribute])
            }
            // Without the changes of a decode that is undone, the list differs.
            record(.list(owner, index, nil))
            property.setObjects(list, of: owner)
        }
    }

    /// Reads the targets of a relationship for several objects with one query, and the values of faults among them with
    /// another.
    ///
    /// - Parameter objects: Objects of one entity.
    /// - Returns: The targets, which can occur repeatedly.
    func prefetch(_ index: Int, of objects: [ManagedObject]) -> [ManagedObject] {
        guard let first = objects.first else { return [] }
        reconcile()
        removeDeletedMembers()
        let source = entity(of: first)
        let property = source.type.relationships[index]
        let faults = objects.filter { $0.access.contains(.fault) }
        if !faults.isEmpty {
            // An object that cannot be read is reported when the fault is accessed.
            let read = try? read(source, rows: Array(Set(faults.map(\.row))))
            withExtendedLifetime(read) { for fault in faults { fault.fireIfFault() } }
        }
        guard property.isToMany else {
            let destination = source.relationships[index].destination
            let owners = objects.filter { owner in
                let row = property.row(of: owner)
                return row > 0 && registries[destination][row] == nil
            }
            var targets: [ManagedObject] = []
            do {
                let rows = Set(owners.map { property.row(of: $0) })
                if !rows.isEmpty { targets = try read(store.entities[destination], rows: rows.sorted()) }
            } catch {
                for owner in owners { note(error, on: owner) }
            }
            // The targets are registered while they are referenced.
            return withExtendedLifetime(targets) {
                objects.compactMap { target(of: $0, index, row: property.row(of: $0)) }
            }
        }
        loadTargets(of: objects.filter { list(index, of: $0) == nil }, index)
        return objects.flatMap { list(index, of: $0) ?? [] }
    }

    /// Returns the targets by owner, in the order of the relationship.
    private func readTargets(
        of source: StoredEntity, _ index: Int, owners: [Int64]
    ) throws(StoreError) -> [Int64: [ManagedObject]] {
        guard !owners.isEmpty else { return [:] }
        let relationship = source.relationships[index]
        let destination = store.entities[relationship.destination]
        let sql: String
        switch relationship.storage {
        case .inverseColumn:
            let column = "\(destination.table).\(destination.relationships[relationship.inverse ?? 0].column)"
            sql =
                "SELECT \(destination.statements.selection), \(column) FROM \(destination.table) "
                + "WHERE \(column) IN (SELECT value FROM json_each(?)) ORDER BY \(destination.table).\"_id\""
        case .joinTable, .linkTable:
            guard let link = relationship.linkTable else { return [:] }
            sql =
                "SELECT \(destination.statements.selection), \(link.name).\(link.source) FROM \(link.name) "
                + "LEFT JOIN \(destination.table) ON \(destination.table).\"_id\" = \(link.name).\(link.target) "
                + "WHERE \(link.name).\(link.source) IN (SELECT value FROM json_each(?)) "
                + "AND (\(destination.table).\"_id\" IS NOT NULL OR \(Self.isInvalid(link))) "
                + "ORDER BY \(link.name).\(link.source), "
                + (link.isOwner ? "\(link.name).\"position\", " : "") + "\(destination.table).\"_id\""
        case .column, .mirror: return [:]
        }
        let ownerColumn = destination.columnCount + 1
        var targets: [Int64: [ManagedObject]] = [:]
        do throws(StoreError) {
            _ = try read(sql, [.rows(owners[...])]) { (found) throws(StoreError) in
                try objects(destination, found, column: ownerColumn) { targets[$1, default: []].append($0) }
            }
        } catch  where error.kind == .corrupt {
            throw try invalidLink(of: source, relationship, owners) ?? error
        }
        return targets
    }

    /// The condition for links that other programs have written and that are not numbers of rows.
    private static func isInvalid(_ link: RelationshipStorage.LinkTable) -> String {
        "(typeof(\(link.name).\(link.target)) <> 'integer' OR \(link.name).\(link.target) < 1)"
    }

    /// Returns the error of a link that is not the number of a row; `nil` if there is no such link.
    private func invalidLink(
        of source: StoredEntity, _ relationship: StoredEntity.Relationship, _ owners: [Int64]
    ) throws(StoreError) -> StoreError? {
        guard let link = relationship.linkTable else { return nil }
        let sql = """
            SELECT \(link.source), typeof(\(link.target)) FROM \(link.name) \
            WHERE \(link.source) IN (SELECT value FROM json_each(?)) AND \(Self.isInvalid(link)) LIMIT 1
            """
        let found = try read(sql, [.rows(owners[...])]) { (rows) throws(StoreError) in try rows.values() }
        guard let row = found.first, let owner = row[0].integer, let type = row[1].text else { return nil }
        return StoreError(
            .corrupt,
            "row \(owner) of '\(source.name)': the table \(link.name) must contain the numbers of rows of "
                + "'\(store.entities[relationship.destination].name)', but contains \(type == "integer" ? "one below 1" : "a value of type \(type)")",
            advice: "correct the value, or delete the row", entity: source.name)
    }

    /// Sorts a list by an attribute; equal objects have the order of their rows.
    func sort(_ list: inout [ManagedObject], by attribute: ManagedAttribute) {
        let keyed = list.map { (object: $0, value: attribute.storedValue(of: $0) ?? .null) }
        let isDecimal = attribute.isDecimal
        func row(_ object: ManagedObject) -> Int64 { object.row > 0 ? object.row : .max }
        // Enumerated, because new objects keep their order.
        list = keyed.enumerated().sorted { a, b in
            let order = QueryEvaluator.order(a.element.value, b.element.value, isDecimal: isDecimal)
            return order == 0
                ? (row(a.element.object), a.offset) < (row(b.element.object), b.offset) : order < 0
        }.map(\.element.object)
    }
}
