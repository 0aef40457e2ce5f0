import ObjectMapping

/// How the rows of an entity are written: the columns of their slots and links, and the roles of their relationships.
///
/// Made from the model, and for a mapping from its rules.
struct TablePlan: Sendable {
    /// A relationship as used by a writer; small, because it is read for every nested row.
    struct Role: Sendable {
        /// The index among the links; `nil` without a column that is written with the row.
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
    /// The to-one relationships whose columns are written with the row, after those of the attributes.
    let links: [Int]
    /// By relationship.
    let roles: [Role]
    let keyed: [KeyedRelationship]
    /// The quoted columns of the slots, followed by those of the links.
    let columns: [String]
    /// Inserts a row with all columns.
    let insertion: String
    /// Whether the number of a row is the first argument of the insertion, which does nothing for a known identity.
    ///
    /// Without a number, SQLite appends the row and assigns the next one; a given number would be searched for first.
    let isNumbered: Bool
    /// The defaults that only the class has; `nil` without any.
    let classDefaults: ClassDefaults?

    /// The plan for rows with a slot for each attribute, in their order; they are appended.
    init(_ entity: StoredEntity, of entities: [StoredEntity]) {
        let attributes = Array(entity.columnNames.indices)
        self.init(
            entity, of: entities, attributes, slots: attributes, identity: entity.identity, links: entity.toOnes,
            keyed: entity.keyedRelationships)
    }

    /// The plan for rows with other slots.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of the slots.
    ///   - isNumbered: Whether the number of a row is an argument of its insertion. Defaults to `false`.
    ///   - classDefaults: The defaults that only the class has. Defaults to `nil`.
    init(
        _ entity: StoredEntity, of entities: [StoredEntity], _ attributes: [Int], slots: [Int], identity: [Int],
        links: [Int], keyed: [KeyedRelationship], isNumbered: Bool = false, _ classDefaults: ClassDefaults? = nil
    ) {
        self.entity = entity
        self.slots = slots
        self.identity = identity
        self.links = links
        self.keyed = keyed
        self.isNumbered = isNumbered
        self.classDefaults = classDefaults
        let columns = attributes.map { entity.columnNames[$0] } + links.map { entity.relationships[$0].column }
        self.columns = columns
        defaults = attributes.map { entity.description.attributes[$0].storedDefault }
        roles = entity.relationships.indices.map { Role(of: $0, entity, entities, links) }
        let all = (isNumbered ? ["\"_id\""] : []) + columns + (classDefaults?.columns(of: entity) ?? [])
        let unique = isNumbered ? identity.compactMap { slots.firstIndex(of: $0).map { columns[$0] } } : []
        insertion =
            (all.isEmpty
                ? "INSERT INTO \(entity.table) DEFAULT VALUES" : EntityStatements.insertion(into: entity.table, all))
            + (unique.isEmpty ? "" : " ON CONFLICT(\(unique.joined(separator: ", "))) DO NOTHING")
    }
}

extension TablePlan.Role {
    fileprivate init(of index: Int, _ entity: StoredEntity, _ entities: [StoredEntity], _ links: [Int]) {
        let relationship = entity.description.relationships[index]
        let destination = entities[entity.relationships[index].destination].description
        let inverse = destination.relationships.first { $0.name == relationship.inverse }
        link = links.firstIndex(of: index)
        isOneToOne = entity.relationships[index].storage == .column && inverse?.isToMany == false
        isOwning = destination.identity.isEmpty && relationship.by.isEmpty && inverse?.by.isEmpty ?? true
        isKeyed = !relationship.by.isEmpty || inverse?.by.isEmpty == false
    }
}

extension TablePlan {
    /// The parameter of the first column in the insertion.
    var firstPlace: Int { isNumbered ? 2 : 1 }

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
                try bind(slot, position, of: element, to: statement, at: first + position)
            }
        }
    }

    /// Binds the value of a column; null is replaced if the property cannot be `nil`.
    @inline(__always) private func bind(
        _ slot: Slot, _ position: Int, of element: ElementRows, to statement: SQLiteStatement, at place: Int
    ) throws(StoreError) {
        if slot.isNull, let value = classDefaults?.replacingNull[position] {
            try statement.bind(value, at: place)
        } else {
            try statement.bind(slot, of: element, at: place)
        }
    }

    /// Binds some columns of a row, and its number.
    @inline(__always) func bind(
        _ columns: [Int], of row: Int64, _ slots: RowSlots, _ links: [ColumnLink], of element: ElementRows,
        to statement: SQLiteStatement
    ) throws(StoreError) {
        for (position, column) in columns.enumerated() {
            if column < self.slots.count {
                try bind(slots[self.slots[column]], column, of: element, to: statement, at: position + 1)
            } else {
                try statement.bind(links[column - self.slots.count], at: position + 1)
            }
        }
        try statement.bind(row, at: columns.count + 1)
    }
}
