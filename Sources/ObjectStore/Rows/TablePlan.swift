import ObjectMapping

/// How the rows of an entity are written: the columns of their slots, and the roles of their relationships.
///
/// Made from the model, and for a mapping from its rules.
struct TablePlan: Sendable {
    /// A relationship as used by a writer; small, because it is read for every nested row.
    struct Role: Sendable {
        /// The index among the to-one relationships, which have columns.
        let link: Int?
        /// Whether it is the primary side of a one-to-one relationship.
        let isOneToOne: Bool
        /// Whether its objects are parts of their owner: nested, and without an identity.
        let isOwning: Bool
        /// Whether keys determine its objects, or those of its inverse.
        let isKeyed: Bool
    }

    let entity: StoredEntity
    /// The slots of the attributes that are written, in the order of their columns.
    let slots: [Int]
    /// The slots of the identity, in its order.
    let identity: [Int]
    /// The defaults of the attributes; `nil` for NULL that is not declared.
    let defaults: [StoredValue?]
    /// By relationship.
    let roles: [Role]
    let keyed: [KeyedRelationship]

    /// The plan for rows with a slot for each attribute, in their order.
    init(_ entity: StoredEntity, of model: ObjectModel) {
        self.entity = entity
        let description = entity.description
        slots = Array(description.attributes.indices)
        identity = entity.identity
        defaults = description.attributes.map(\.storedDefault)
        roles = description.relationships.enumerated().map { index, relationship in
            let destination = model.entities[entity.relationships[index].destination]
            let inverse = destination.relationships.first { $0.name == relationship.inverse }
            return Role(
                link: entity.toOnes.firstIndex(of: index),
                isOneToOne: entity.relationships[index].storage == .column && inverse?.isToMany == false,
                isOwning: destination.identity.isEmpty && relationship.by.isEmpty && inverse?.by.isEmpty ?? true,
                isKeyed: !relationship.by.isEmpty || inverse?.by.isEmpty == false)
        }
        keyed = entity.keyedRelationships
    }

    /// The plan for rows with the slots of a mapping.
    init(
        _ entity: StoredEntity, slots: [Int], identity: [Int], defaults: [StoredValue?], keyed: [KeyedRelationship]
    ) {
        self.entity = entity
        self.keyed = keyed
        self.slots = slots
        self.identity = identity
        self.defaults = defaults
        roles = []
    }
}

extension TablePlan {
    /// Inserts a row after the last one, with all columns.
    ///
    /// Without a number, SQLite appends the row and assigns the next one; a given number would be searched for first.
    var appending: String {
        let columns = entity.columnNames + entity.toOnes.map { entity.relationships[$0].column }
        return columns.isEmpty
            ? "INSERT INTO \(entity.table) DEFAULT VALUES" : EntityStatements.insertion(into: entity.table, columns)
    }

    /// Binds all attributes of a row.
    ///
    /// - Parameter isNew: Whether absent attributes have their defaults, instead of null.
    @inline(__always) func bind(
        _ slots: RowSlots, of element: ElementRows, isNew: Bool, to statement: SQLiteStatement, from first: Int
    ) throws(StoreError) {
        for position in self.slots.indices {
            let slot = slots[self.slots[position]]
            if isNew, slot.isAbsent, let value = defaults[position] {
                try statement.bind(value, at: first + position)
            } else {
                try statement.bind(slot, of: element, at: first + position)
            }
        }
    }

    /// Binds some columns of a row, attributes and then links, and its number.
    @inline(__always) func bind(
        _ columns: [Int], of row: Int64, _ slots: RowSlots, _ links: [ColumnLink], of element: ElementRows,
        to statement: SQLiteStatement
    ) throws(StoreError) {
        for (position, column) in columns.enumerated() {
            if column < self.slots.count {
                try statement.bind(slots[self.slots[column]], of: element, at: position + 1)
            } else {
                try statement.bind(links[column - self.slots.count], at: position + 1)
            }
        }
        try statement.bind(row, at: columns.count + 1)
    }
}
