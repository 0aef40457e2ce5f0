import ObjectMapping
import Synchronization

/// The changes of a save through a remote that have no outcome, because the program ended or was offline.
///
/// ```swift
/// for save in try store.interruptedSaves {
///     let objects = try context.restore(save)
///     try await context.save()
/// }
/// ```
public struct InterruptedSave: Sendable, Identifiable {
    /// A change.
    public struct Change: Sendable {
        /// The kind of the change.
        public let operation: ChangeOperation
        /// The name of the entity.
        public let entity: String
        /// Whether the change was sent, so that the remote may have it.
        public let wasSent: Bool
        /// The values by attribute.
        public let values: [String: StoredValue]

        let entry: SaveJournal.Entry
    }

    /// Identifies the save.
    public let id: String
    /// The changes without outcome.
    public let changes: [Change]
    /// The rows of new objects that were saved, by their temporary rows.
    let saved: [Int64: Int64]
}

extension ManagedObjectStore {
    /// The saves through the remote that a program did not end, with the changes that have no outcome.
    ///
    /// They include changes that a save could not send, or whose outcome is unknown, after their context has ended. Saves that
    /// are running in this process or another one are not included.
    public var interruptedSaves: [InterruptedSave] {
        get throws(StoreError) { try SaveJournal.interruptedSaves(in: self) }
    }

    /// Forgets the changes of an interrupted save.
    public func discard(_ save: InterruptedSave) throws(StoreError) {
        try write { (connection) throws(StoreError) in try SaveJournal.remove(save.id, connection) }
        SaveJournal.release([save.id])
    }
}

extension ObjectContext {
    /// Makes the changes of an interrupted save again, as unsaved changes of this context.
    ///
    /// They remain in the file until the next save of the context has taken them over, and are offered again if the context
    /// ends before. A new object that was sent is sent again only after the remote was asked for it; see
    /// ``allowsSendingAgain(_:)``.
    ///
    /// - Returns: The changed objects, except for those that were deleted meanwhile: the next save reports them with the
    ///   outcome `missing`.
    /// - Throws: `StoreError`: of kind `unknownEntity` if the model no longer has an entity, `misuse` if the changes were
    ///   restored, saved or discarded already.
    @_disfavoredOverload @discardableResult public func restore(
        _ save: InterruptedSave
    ) throws(StoreError) -> [ManagedObject] {
        for change in save.changes where !core.store.entities.contains(where: { $0.name == change.entity }) {
            throw StoreError(
                .unknownEntity, "the interrupted save has a change of '\(change.entity)', which is not in the model",
                advice: "discard the save", entity: change.entity)
        }
        let isOffered = try core.store.read { (connection) throws(StoreError) in
            try SaveJournal.contains(save.id, connection)
        }
        // No other context makes the changes again.
        guard isOffered, SaveJournal.running.withLock({ $0.insert(save.id).inserted }) else {
            throw StoreError(
                .misuse, "the changes of the interrupted save were restored, saved or discarded already",
                advice: "restore only what interruptedSaves of the store returns, each of them once")
        }
        core.sending.restoredSaves.append(save.id)
        var objects: [Int64: ManagedObject] = [:]
        var restored: [(object: ManagedObject, entry: SaveJournal.Entry)] = []
        for entry in save.changes.map(\.entry) {
            guard let entity = core.store.entities.first(where: { $0.name == entry.entity }) else { continue }
            let object: ManagedObject
            if let known = objects[entry.row] {
                // What was changed after the insertion was sent.
                object = known
            } else if entry.row < 0, entry.operation == .insert {
                object = entity.type.makeObject()
                insert(object)
                objects[entry.row] = object
            } else {
                let row = save.saved[entry.row] ?? entry.row
                guard row > 0, let known = try core.read(entity, rows: [row]).first else {
                    noteMissing(entry, "the object")
                    continue
                }
                object = known
            }
            if entry.operation == .delete { delete(object) }
            restored.append((object, entry))
        }
        for (object, entry) in restored {
            if entry.operation != .delete, object.state?.phase != .deleted {
                assign(entry, to: object, objects, save.saved)
            }
            guard entry.progress == .sent else { continue }
            let unknown = SentChange(entry.operation, of: object, object.row, core.changesToSend(of: object))
            // Unless the file has the values.
            if entry.operation != .update || !unknown.changes.isEmpty {
                core.sending.unknown[entry.key] = unknown
            }
        }
        var known: Set<ObjectIdentifier> = []
        return restored.map(\.object).filter { known.insert(ObjectIdentifier($0)).inserted }
    }

    /// Assigns the values and references of a change.
    ///
    /// - Parameters:
    ///   - objects: The new objects, by their rows in the entries.
    ///   - rows: The rows of new objects that were saved, by their rows in the entries.
    private func assign(
        _ entry: SaveJournal.Entry, to object: ManagedObject, _ objects: [Int64: ManagedObject], _ rows: [Int64: Int64]
    ) {
        let entity = core.entity(of: object)
        // A new object of this process can have the same temporary row.
        func find(_ row: Int64, _ entity: StoredEntity) -> ManagedObject? {
            let saved = rows[row] ?? row
            return objects[row] ?? (saved > 0 ? core.object(ofRow: saved, entity) : nil)
        }
        var missingKeys: Set<Int> = []
        for index in entity.toOnes {
            let relationship = entity.relationships[index]
            guard let row = entry.targets[relationship.name] else { continue }
            let target = find(row, core.entity(of: relationship))
            if row != 0, target == nil {
                noteMissing(entry, "the object of '\(relationship.name)'")
                missingKeys.formUnion(relationship.keys.flatMap(\.attributes))
            } else {
                core.setTarget(target, of: object, index)
                noteUnsent(index, of: object, entity)
            }
        }
        for (index, attribute) in entity.type.attributes.enumerated() where !missingKeys.contains(index) {
            guard let value = entry.values[attribute.name] else { continue }
            object.willChange(at: attribute.offset)
            object.set(value, at: index)
        }
        for (index, relationship) in entity.relationships.enumerated() {
            guard let list = entry.lists[relationship.name] else { continue }
            let changes = UnsavedChanges.List(
                relationship: index, rows: list.rows.map { rows[$0] ?? $0 }, old: list.old.map { rows[$0] ?? $0 })
            object.assign(changes) { find($0, core.entity(of: relationship)) }
        }
    }

    /// Records that the remote may not have a one-to-one relationship that the file has with its other side.
    private func noteUnsent(_ index: Int, of object: ManagedObject, _ entity: StoredEntity) {
        guard object.row > 0, core.store.entities.isOneToOne(entity.relationships[index]) else { return }
        let state = core.willChange(object)
        if !state.linkBases.contains(where: { $0.relationship == index }) { state.unsentTargets[index] = -1 }
    }

    private func noteMissing(_ entry: SaveJournal.Entry, _ name: String) {
        let id = ObjectID(entity: entry.entity, row: entry.row, store: core.store.identity)
        let message = "\(name) was deleted after the save was interrupted, and the change was discarded"
        core.sending.missing.append(ObjectOutcome(id, entry.operation, .missing, message))
    }

    /// Declares that an insertion whose outcome is unknown did not arrive, so that the next save, or the next `post` of an
    /// `ObjectManager`, sends it again.
    ///
    /// - Parameter object: A new object, or one that was never sent.
    public func allowsSendingAgain(_ object: ManagedObject) {
        if let key = core.unknownInsertion(of: object)?.key { core.sending.unknown[key] = nil }
        guard let row = rowOfUnknown(object, false), let entity = core.store.knownEntity(of: object) else { return }
        // Otherwise, sending it fails with the same error as before.
        try? core.store.write { (connection) throws(StoreError) in
            try UnsentMarks(connection)?.setUnknown(false, of: row, entity)
        }
    }

    /// Records that the outcome of the request of a new object is unknown: the server may have it.
    nonisolated(nonsending) package func noteUnknownOutcome(of object: ManagedObject) async {
        core.finishSaveInFlight()
        guard let row = rowOfUnknown(object, true), let entity = core.store.knownEntity(of: object) else { return }
        _ = await core.store.writing { (connection) throws(StoreError) in
            try UnsentMarks(connection)?.setUnknown(true, of: row, entity)
        }
    }

    /// Records in memory whether the outcome of a new object is unknown.
    ///
    /// - Returns: The row of a saved object, whose mark is in the file; `nil` for others.
    private func rowOfUnknown(_ object: ManagedObject, _ isUnknown: Bool) -> Int64? {
        guard object.core === core else { return nil }
        if object.state?.phase == .inserted { object.state?.isUnknown = isUnknown }
        return object.row > 0 && core.store.keepsUnsent ? object.row : nil
    }
}

extension SaveJournal {
    fileprivate static func interruptedSaves(in store: ManagedObjectStore) throws(StoreError) -> [InterruptedSave] {
        let rows = try store.read { (connection) throws(StoreError) -> [[StoredValue]] in
            guard try connection.hasTable(name) else { return [] }
            return try connection.database.prepare(
                "SELECT \"save\", \"process\", \"key\", \"operation\", \"entity\", \"row\", \"progress\", \"values\", "
                    + "\"targets\", \"saved\" FROM \(table) "
                    + "ORDER BY \"save\", \"row\" < 0, abs(\"row\"), \"progress\" = 'waiting'"
            ).rows([])
        }
        let running = running.withLock { $0 }
        var saves: [String: (entries: [Entry], saved: [Int64: Int64])] = [:]
        for row in rows {
            guard let save = row[0].text, !running.contains(save), !isOfOther(row[1]),
                let operation = row[3].text.flatMap(ChangeOperation.init),
                let progress = row[6].text.flatMap(Progress.init), let number = row[5].integer
            else { continue }
            if progress == .saved {
                saves[save, default: ([], [:])].saved[number] = row[9].integer
                continue
            }
            var entry = Entry(
                key: row[2].text ?? "", operation: operation, entity: row[4].text ?? "", row: number,
                progress: progress, values: members(row[7]).mapValues(StoredValue.init(journaled:)))
            entry.add(references: row[8].text.flatMap { try? JSON($0) } ?? [:])
            saves[save, default: ([], [:])].entries.append(entry)
        }
        return saves.sorted { $0.key < $1.key }.compactMap { save in
            let changes = save.value.entries.map { entry in
                InterruptedSave.Change(
                    operation: entry.operation, entity: entry.entity, wasSent: entry.progress == .sent,
                    values: entry.values, entry: entry)
            }
            return changes.isEmpty ? nil : InterruptedSave(id: save.key, changes: changes, saved: save.value.saved)
        }
    }

    /// Whether another process that still runs has written an entry.
    static func isOfOther(_ process: StoredValue) -> Bool {
        let identity = process.text ?? "\(process.integer ?? 0)"
        return identity != ProcessIdentity.current && ProcessIdentity.isRunning(identity)
    }

    private static func members(_ value: StoredValue) -> [String: JSON] {
        let object = value.text.flatMap { try? JSON($0) }?.object
        return Dictionary((object ?? [:]).map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
    }
}

extension StoredValue {
    /// The value as JSON from which it can be read without loss.
    var journaled: JSON {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): ["real": .string("\(value)")]
        case .text(let text): .string(text)
        case .blob(let bytes): ["data": .string(Data(bytes).base64EncodedString())]
        }
    }

    init(journaled json: JSON) {
        if let text = json.string {
            self = .text(text)
        } else if let integer = json.int64 {
            self = .integer(integer)
        } else if let real = json["real"].string.flatMap(Double.init) {
            self = .real(real)
        } else if let data = json["data"].string.flatMap({ Data(base64Encoded: $0) }) {
            self = .blob([UInt8](data))
        } else {
            self = .null
        }
    }
}
