import ObjectMapping

/// Changes, each with its undo.
extension Context {
    func knownItem(_ object: AnyObject) throws -> Item {
        guard let item = items[ObjectIdentifier(object)] else {
            throw ValidationFailure("the object belongs to another context")
        }
        return item
    }

    func addUndo(_ change: @escaping () -> Void) { undo.append(.other(change)) }

    func undoLast() {
        switch undo.removeLast() {
        case .insert(let item):
            changedItems.removeLast()
            remove(item)
        case .other(let change): change()
        }
    }

    func note(_ item: Item) {
        guard !item.isChanged else { return }
        item.isChanged = true
        changedItems.append(item)
        addUndo { [unowned self] in
            item.isChanged = false
            changedItems.removeLast()
        }
    }

    func willChange(_ item: Item, keepState: (() -> () -> Void)? = nil) {
        let restore = keepState.flatMap { usesKeptState ? $0() : nil } ?? item.table.entity.state(of: item.object)
        addUndo(restore)
        note(item)
    }

    func insert(_ object: AnyObject, _ key: ObjectKey?) throws {
        let item = Item(object, database.nextNumber(), try table(of: object))
        item.key = key
        item.isChanged = true
        // A row of the database with the key is found by saving.
        if let key, let known = item.table.items.updateValue(item, forKey: key) {
            item.table.items[key] = known
            throw ValidationFailure("another \(item.table.entity.name) has the same key")
        }
        unindexed.append(item)
        changedItems.append(item)
        undo.append(.insert(item))
    }

    func requireUnused(_ key: ObjectKey, in table: Table) throws {
        guard item(key, in: table) == nil else {
            throw ValidationFailure("another \(table.entity.name) has the same key")
        }
    }

    func delete(_ item: Item) {
        note(item)
        remove(item)
        loaded[item.number] = nil
        deleted[item.number] = item
        addUndo { [unowned self] in
            deleted[item.number] = nil
            if item.version != nil { loaded[item.number] = item }
            register(item)
        }
    }

    func setKey(of item: Item, to key: ObjectKey) {
        let old = item.key
        if let old { item.table.items[old] = nil }
        item.key = key
        item.table.items[key] = item
        addUndo {
            item.table.items[key] = nil
            item.key = old
            if let old { item.table.items[old] = item }
        }
    }

    func setLink(_ link: Database.Link?, _ name: String, of item: Item) {
        let old = item.links[name]
        addUndo { [unowned self] in putLink(old, name, of: item) }
        putLink(link, name, of: item)
    }

    func putLink(_ link: Database.Link?, _ name: String, of item: Item) {
        item.links[name] = link
        waiting[ObjectIdentifier(item.object)] = item.links.isEmpty ? nil : item
    }

    func setOrphan(_ item: Item, to isOrphan: Bool) {
        guard item.isOrphan != isOrphan else { return }
        item.isOrphan = isOrphan
        addUndo { item.isOrphan = !isOrphan }
    }

    func deleteOrphans() {
        for item in orphans where item.isOrphan {
            setOrphan(item, to: false)
            // A real database would query the unloaded rows that refer to it.
            let isHeld = items.values.contains { holder in
                holder.table.entity.relations.contains { $0.read(holder.object).contains { $0 === item.object } }
            }
            if !isHeld, deletesOrphans, deleted[item.number] == nil { delete(item) }
        }
    }

    func connect(_ item: Item, _ link: Database.Link) {
        let targets = link.keys.map { self.item($0, of: link.connection.target)?.object }
        willChange(item)
        link.connection.assign(targets.compactMap(\.self), to: item.object)
        setLink(targets.contains { $0 == nil } ? link : nil, link.connection.name, of: item)
    }

    /// Connects pending connections to existing objects.
    func connectPending() {
        for number in database.numbersWithLinks { _ = load(number) }
        for item in waiting.values {
            for link in item.links.values
            where link.keys.contains(where: { self.item($0, of: link.connection.target) != nil }) {
                connect(item, link)
            }
        }
    }
}
