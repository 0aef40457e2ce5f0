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
        let new = entity.type.makeObject()
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

    /// Records that an object could not be read completely.
    func note(_ error: StoreError, on object: ManagedObject) {
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
