import ObjectMapping

/// The object with which an import evaluates rules that require one: it receives the values of one row after another.
final class ScratchObject {
    let object: ManagedObject
    private let entity: StoredEntity

    init(_ entity: StoredEntity) {
        self.entity = entity
        object = entity.type.makeObject()
    }

    /// Sets the object to the values of a row: from the payload, from the stored row, or the defaults.
    func load(
        _ slots: RowSlots, of element: ElementRows, _ table: ImportTable, _ attributes: [(slot: Int, index: Int)],
        from connection: StoreConnection
    ) throws(StoreError) {
        for attribute in entity.type.attributes { attribute.reset(object) }
        let identity = table.plan.identity.map { element.value(of: slots[$0]) }
        if !identity.isEmpty, let stored = try connection.cached(entity.statements.finding).rows(identity).first {
            // The first column is the row.
            for (index, value) in zip(entity.columnNames.indices, stored.dropFirst()) { load(value, index) }
        }
        for (slot, index) in attributes where !slots[slot].isAbsent {
            load(element.value(of: slots[slot]), index)
        }
    }

    private func load(_ value: StoredValue, _ index: Int) {
        let attribute = entity.type.attributes[index]
        if !attribute.load(value, into: object) { attribute.reset(object) }
    }
}

/// An object that a validation of its mapping rejects.
struct RejectedObject: Error {
    let cause: any Error
    /// The offset of the object in the text.
    let offset: Int
}
