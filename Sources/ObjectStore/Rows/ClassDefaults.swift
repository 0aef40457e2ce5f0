/// The defaults of a class that a plan adds to new rows: of attributes without a slot, and those that vary from row to row.
struct ClassDefaults: Sendable {
    /// The columns of the plan whose default varies.
    let varyingColumns: [(position: Int, attribute: ManagedAttribute)]
    /// The attributes without a slot, and their defaults.
    let unread: [(attribute: Int, value: StoredValue)]
    /// The attributes without a slot whose default varies.
    let unreadVarying: [Int]

    /// By column of the plan, the default that replaces null, because the property cannot be `nil`.
    let replacingNull: [StoredValue?]

    /// The columns of the attributes without a slot.
    func columns(of entity: StoredEntity) -> [String] {
        (unread.map(\.attribute) + unreadVarying).map { entity.columnNames[$0] }
    }

    /// Binds the defaults of a row that the plan has bound.
    ///
    /// - Parameter place: The parameter of the first attribute without a slot.
    func bind(
        _ slots: RowSlots, _ plan: TablePlan, to statement: SQLiteStatement, from place: Int
    ) throws(StoreError) {
        var object = FreshObject(entity: plan.entity)
        for (position, attribute) in varyingColumns {
            let slot = slots[plan.slots[position]]
            guard slot.isAbsent || slot.isNull && !attribute.isOptional else { continue }
            try statement.bind(object.value(of: attribute), at: plan.firstPlace + position)
        }
        for (index, attribute) in unread.enumerated() { try statement.bind(attribute.value, at: place + index) }
        for (index, attribute) in unreadVarying.enumerated() {
            try statement.bind(
                object.value(of: plan.entity.type.attributes[attribute]), at: place + unread.count + index)
        }
    }

    /// Binds the defaults that replace null in columns of an existing row, which the plan has bound.
    func bindReplacingNull(
        _ columns: [Int], _ slots: RowSlots, _ plan: TablePlan, to statement: SQLiteStatement
    ) throws(StoreError) {
        var object = FreshObject(entity: plan.entity)
        for (position, attribute) in varyingColumns where !attribute.isOptional {
            guard slots[plan.slots[position]].isNull, let place = columns.firstIndex(of: position) else { continue }
            try statement.bind(object.value(of: attribute), at: place + 1)
        }
    }
}

/// An object with the defaults of one row, created for the first one.
private struct FreshObject {
    let entity: StoredEntity
    private var object: ManagedObject?

    init(entity: StoredEntity) { self.entity = entity }

    mutating func value(of attribute: ManagedAttribute) -> StoredValue {
        let fresh = object ?? entity.type.makeObject()
        object = fresh
        return attribute.storedValue(of: fresh) ?? .null
    }
}
