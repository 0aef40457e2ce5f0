/// The defaults of a class that a plan adds to new rows: of attributes without a slot, and those that vary from row to row.
struct ClassDefaults: Sendable {
    /// The columns of the plan whose default varies.
    let varyingColumns: [(position: Int, attribute: ManagedAttribute)]
    /// The attributes without a slot, and their defaults.
    let unread: [(attribute: Int, value: StoredValue)]
    /// The attributes without a slot whose default varies.
    let unreadVarying: [Int]

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
        // An object with the defaults of this row.
        var object: ManagedObject?
        func value(of attribute: ManagedAttribute) -> StoredValue {
            let fresh = object ?? plan.entity.type.type.init()
            object = fresh
            return attribute.storedValue(of: fresh) ?? .null
        }
        for (position, attribute) in varyingColumns {
            let slot = slots[plan.slots[position]]
            guard slot.isAbsent || slot.isNull && !attribute.isOptional else { continue }
            try statement.bind(value(of: attribute), at: plan.firstPlace + position)
        }
        for (index, attribute) in unread.enumerated() { try statement.bind(attribute.value, at: place + index) }
        for (index, attribute) in unreadVarying.enumerated() {
            try statement.bind(value(of: plan.entity.type.attributes[attribute]), at: place + unread.count + index)
        }
    }
}
