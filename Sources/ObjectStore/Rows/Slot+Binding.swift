import ObjectMapping

// Patterns instead of `==`, which is a call for an enumeration of another module.
extension Slot {
    var isAbsent: Bool { if case .absent = tag { true } else { false } }

    var isNull: Bool { if case .null = tag { true } else { false } }

    /// The value of an integer; `nil` for other slots.
    var knownInteger: Int64? { if case .integer = tag { integer } else { nil } }
}

/// The value of a to-one column in an element.
enum ColumnLink {
    case absent, null
    case row(Int64)

    var isAbsent: Bool { if case .absent = self { true } else { false } }
}

extension SQLiteStatement {
    /// Binds the target of a to-one relationship.
    func bind(_ link: ColumnLink, at index: Int) throws(StoreError) {
        if case .row(let target) = link { try bind(target, at: index) } else { try bindNull(at: index) }
    }

    /// Binds a slot without copying its bytes, which are valid until the next element is read.
    func bind(_ slot: Slot, of element: ElementRows, at index: Int) throws(StoreError) {
        switch slot.tag {
        case .absent, .null: try bindNull(at: index)
        case .integer: try bind(slot.integer, at: index)
        case .real: try bind(slot.real, at: index)
        case .text: try bindText(lent: element.bytes(of: slot), at: index)
        case .blob: try bindBlob(lent: element.bytes(of: slot), at: index)
        }
    }
}
