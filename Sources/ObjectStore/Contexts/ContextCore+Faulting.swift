/// Reading objects from the store.
extension ContextCore {
    /// Returns the objects of the rows of a statement that selects an entity's columns, in the order of the rows.
    ///
    /// - Parameters:
    ///   - isFetch: Whether objects of the context receive the values of the store. Otherwise only faults do: reading a
    ///     property must not change another one.
    ///   - column: An additional column.
    ///   - each: Receives each object with the integer in that column.
    func objects(
        _ entity: StoredEntity, _ rows: StatementRows, isFetch: Bool = false, column: Int? = nil,
        each: (ManagedObject, Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> [ManagedObject] {
        let isIndexed = identities[entity.index].isActive
        return switch rows {
        case .statement(let rows): try objects(entity, rows, isFetch, isIndexed, column, each)
        case .buffered(let rows): try objects(entity, rows, isFetch, isIndexed, column, each)
        }
    }

    private func objects(
        _ entity: StoredEntity, _ rows: some RowCursor, _ isFetch: Bool, _ isIndexed: Bool, _ column: Int?,
        _ each: (ManagedObject, Int64) -> Void
    ) throws(StoreError) -> [ManagedObject] {
        // In most fetches, either no row has an object, or all rows have one.
        var looksUp = !registries[entity.index].isEmpty
        var isNew = false
        var objects: [ManagedObject] = []
        // Objects that were read together share later reads.
        var batches = FetchBatch.Maker()
        // The new objects; `nil` while all objects are new.
        var created: [ManagedObject]?
        while let object = try nextObject(entity, rows, isFetch, isIndexed, &looksUp, &isNew) {
            if isNew { created?.append(object) } else if created == nil { created = objects }
            batches.add(object)
            if let column { each(object, rows.integer(at: column)) }
            // Last, so that the array takes the reference.
            objects.append(consume object)
        }
        batches.end()
        if reads.fetched.isEmpty { reads.fetched = created ?? objects } else { reads.fetched += created ?? objects }
        return objects
    }

    /// Returns the object of the first row of a statement that selects an entity's columns; `nil` without a row.
    func firstObject(_ entity: StoredEntity, _ rows: StatementRows) throws(StoreError) -> ManagedObject? {
        var (looksUp, isNew) = (true, false)
        let object =
            switch rows {
            case .statement(let rows): try nextObject(entity, rows, true, false, &looksUp, &isNew)
            case .buffered(let rows): try nextObject(entity, rows, true, false, &looksUp, &isNew)
            }
        if isNew, let object { reads.fetched.append(object) }
        return object
    }

    /// Returns the object of the next row; `nil` after the last one.
    ///
    /// - Parameters:
    ///   - looksUp: Whether a row can have an object already.
    ///   - isNew: Whether the object was created for the row.
    @inline(__always) private func nextObject(
        _ entity: StoredEntity, _ rows: some RowCursor, _ isFetch: Bool, _ isIndexed: Bool, _ looksUp: inout Bool,
        _ isNew: inout Bool
    ) throws(StoreError) -> ManagedObject? {
        guard try rows.step() else { return nil }
        let row = rows.integer(at: 0)
        try RowMarks.check(row, in: entity.name)
        isNew = false
        if looksUp, let known = registries[entity.index][row] {
            if isFetch || known.access.contains(.fault) {
                renew(known, entity) { load(rows, into: known, entity) }
            }
            if isFetch, known.state?.phase ?? .clean == .clean { renewLists(of: known) }
            return known
        }
        let new = entity.type.type.init()
        new.state = nil
        new.row = row
        new.entityIndex = UInt16(entity.index)
        load(rows, into: new, entity)
        if let other = registries[entity.index].add(new, row) {
            // Rows can occur repeatedly.
            looksUp = true
            return other
        }
        isNew = true
        new.core = self
        if isObserved { new.access.insert(.observed) }
        if isIndexed { noteIdentity(of: new, entity) }
        return new
    }

    /// Calls the hook of new objects after their connection was returned: it is code of the user, which may read other
    /// objects.
    func awakeFetched() {
        guard !reads.fetched.isEmpty else { return }
        let outer = hooks.current
        hooks.current = .awakeFromFetch
        defer { leave(to: outer) }
        while !reads.fetched.isEmpty {
            if reads.fetched.count == 1, let object = reads.fetched.popLast() {
                object.awakeFromFetch()
                continue
            }
            var objects: [ManagedObject] = []
            swap(&objects, &reads.fetched)
            // The array retains them.
            for index in objects.indices { Uncounted(objects[index]).use { $0.awakeFromFetch() } }
        }
    }

    /// Sets the unchanged properties of an object to the columns of a row.
    ///
    /// A property whose value cannot be read gets its default, and the object the error.
    func load(_ rows: some RowCursor, into object: ManagedObject, _ entity: StoredEntity) {
        var changed: ObjectState?
        if let state = object.state {
            if state.phase == .deleted { return }
            state.readError = nil
            if state.phase != .clean { changed = state }
        }
        let memory = ObjectMemory(object)
        object.unassignedIdentity = 0
        for (index, step) in entity.loadSteps.enumerated() {
            if let changed, changed.isAssigned(step.offset) {
                if changed.phase == .updated { compare(rows.value(at: index + 1), index, with: changed, entity) }
                continue
            }
            if let direct = step.direct {
                if rows.load(direct, at: index + 1, into: memory, at: step.offset) { continue }
                if direct == .row {
                    memory[step.offset, as: Int64.self] = 0
                    noteInvalidReference(index, of: object, entity)
                    continue
                }
            }
            let attribute = entity.type.attributes[index]
            let value = rows.value(at: index + 1)
            if step.isIdentity, value.isNull { object.setIdentity(isAssigned: false, attribute, entity) }
            if attribute.load(value, into: object) { continue }
            // The other properties, and the other rows of the fetch, can be read.
            attribute.reset(object)
            noteUnreadable(attribute, of: object, entity)
        }
        object.access.remove(.fault)
    }

    /// Records whether a column has another value than the assigned property had.
    private func compare(_ value: StoredValue, _ column: Int, with state: ObjectState, _ entity: StoredEntity) {
        let property = entity.property(ofColumn: column)
        switch property {
        case .attribute(let index):
            guard let place = state.bases.firstIndex(where: { $0.attribute == index }) else { return }
            let base = state.bases[place].value
            state.bases[place].isOutdated = value != base && entity.canonical(value, of: property) != base
        case .relationship(let index):
            guard let place = state.linkBases.firstIndex(where: { $0.relationship == index }) else { return }
            let isOutdated = value.integer ?? 0 != state.linkBases[place].row
            if isOutdated != state.linkBases[place].isOutdated { dirty.lists.changes = nil }
            state.linkBases[place].isOutdated = isOutdated
        }
    }

    @inline(never) private func noteUnreadable(
        _ attribute: ManagedAttribute, of object: ManagedObject, _ entity: StoredEntity
    ) {
        guard object.state?.readError == nil else { return }
        note(.unreadable(attribute, inRow: object.row, of: entity), on: object)
    }

    @inline(never) private func noteInvalidReference(
        _ step: Int, of object: ManagedObject, _ entity: StoredEntity
    ) {
        guard object.state?.readError == nil else { return }
        let relationship = entity.relationships[entity.toOnes[step - entity.columnNames.count]]
        let error = StoreError(
            .corrupt,
            "row \(object.row) of '\(entity.name)': the column '\(relationship.name)' must be NULL or the number of a "
                + "row of '\(store.entities[relationship.destination].name)'",
            advice: "correct the value", entity: entity.name)
        note(error, on: object)
    }

    /// Reads the values of a fault, and those of the faults that were fetched together with it.
    func fire(_ object: ManagedObject) {
        let entity = entity(of: object)
        let others = (object.batch?.rows ?? []).filter { row in
            row != object.row && registries[entity.index][row]?.access.contains(.fault) ?? false
        }
        do throws(StoreError) {
            let found = try read(entity, rows: [object.row] + others)
            if !found.contains(where: { $0 === object }) {
                throw StoreError(.missingObject, "the object \(id(of: object)) is no longer in the store")
            }
        } catch {
            // Called again with the rows.
            if reads.ahead?.missing != nil { return }
            object.access.remove(.fault)
            // Unsaved values are kept.
            for attribute in entity.type.attributes where object.state?.isAssigned(attribute.offset) != true {
                attribute.reset(object)
            }
            let state = object.state ?? ObjectState(.clean)
            state.readError = error
            object.state = state
        }
    }

    /// Reads the objects of rows, with one query per thousand rows.
    func read(
        _ entity: StoredEntity, rows: [Int64], isFetch: Bool = false
    ) throws(StoreError) -> [ManagedObject] {
        var objects: [ManagedObject] = []
        var start = 0
        while start < rows.count {
            let part = rows[start..<min(start + FetchBatch.size, rows.count)]
            let sql =
                "SELECT \(entity.statements.selection) FROM \(entity.table) WHERE \(entity.table).\"_id\" "
                + (part.count == 1 ? "= ?" : "IN (SELECT value FROM json_each(?))")
            let argument = part.count == 1 ? .integer(part[part.startIndex]) : StoredValue.rows(part)
            objects += try read(sql, [argument]) { (found) throws(StoreError) in
                try self.objects(entity, found, isFetch: isFetch)
            }
            start += part.count
        }
        return objects
    }

    // MARK: Relationships

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

    /// Records that an object could not be read completely.
    private func note(_ error: StoreError, on object: ManagedObject) {
        let state = object.state ?? ObjectState(.clean)
        state.readError = error
        object.state = state
    }
}

extension StoredValue {
    /// Rows as an argument of `json_each`.
    static func rows(_ rows: ArraySlice<Int64>) -> StoredValue {
        .text("[\(rows.map(String.init).joined(separator: ","))]")
    }

    /// Whether SQLite sorts the value before another: null, numbers, texts by their bytes, blobs.
    package func isOrderedBefore(_ other: StoredValue) -> Bool {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): a < b
        case (.integer(let a), .real(let b)): Double(a) < b
        case (.real(let a), .integer(let b)): a < Double(b)
        case (.real(let a), .real(let b)): a < b
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.blob(let a), .blob(let b)): a.lexicographicallyPrecedes(b)
        default: rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}
