import ObjectMapping

/// A table while it is filled: its statements, row numbers and known rows.
final class EntityTable {
    /// The value of a to-one column in an element.
    enum Link {
        case absent, null
        case row(Int64)
    }

    /// A relationship as used by the writer.
    struct Relationship {
        let destination: Int
        let storage: RelationshipStorage
        /// The index among the to-one columns.
        let link: Int?
        let isToMany: Bool
        /// Whether it is the primary side of a one-to-one relationship.
        let isOneToOne: Bool
        /// Whether its objects are parts of their owner: nested, and without an identity.
        let isOwning: Bool
        /// Whether keys determine its objects, or those of its inverse.
        let isKeyed: Bool
    }

    let description: EntityDescription
    /// The quoted name.
    let name: String
    /// The indexes of the identity's attributes.
    let identity: [Int]
    /// The single attribute of the identity, if it is an integer.
    let integerIdentity: Int?
    let relationships: [Relationship]
    let wires: [Wire]
    let defaults: [StoredValue?]
    /// Whether an identity can be repeated, so that rows are looked up before they are written.
    let usesLookups: Bool

    // Exclusivity unchecked: one thread fills the store and no access outlasts a call; the checks took a tenth of the time.
    /// For each wire, whether there may be rows with a key and without a target.
    @safe @exclusivity(unchecked) var isOpen: [Bool]
    /// For the current row, the values of its to-one columns in the element.
    @safe @exclusivity(unchecked) var links: [Link]
    /// The to-one columns of the current row whose earlier target is replaced if the element has another one.
    @safe @exclusivity(unchecked) var comparedLinks: [Int] = []
    /// The nested relationships of the current row that lose objects because of the element.
    @safe @exclusivity(unchecked) var losingRelationships: [Int] = []
    /// A cache of row numbers by identity, for identities of one integer.
    @safe @exclusivity(unchecked) var map: IdentityMap?
    /// The rows of the current element, while it contains several of this entity.
    @safe @exclusivity(unchecked) var rowsOfElement: [ElementIdentity: Int64] = [:]
    /// Whether objects of the entity occurred separately, and not only nested in others.
    @safe @exclusivity(unchecked) var hasTopLevelRows = false
    /// The number of rows of this entity in the current element.
    @safe @exclusivity(unchecked) var occurrences = 0

    @safe @exclusivity(unchecked) private(set) var nextRow: Int64 = 1
    @safe @exclusivity(unchecked) private(set) var inserted = 0
    @safe @exclusivity(unchecked) private(set) var merged = 0
    /// The number of merged rows that replaced a value with a different one.
    private(set) var conflicts = 0
    private(set) var removed = 0

    private let database: SQLiteDatabase
    private let columnNames: [String]
    /// The quoted names.
    private let columns: [String]
    /// The first row that is not in the existing file.
    private var firstNewRow: Int64 = 1
    /// The columns, then the relationships, of existing rows that this build's elements have set.
    @safe @exclusivity(unchecked) private var setColumns: SetColumns
    @safe @exclusivity(unchecked) private var insertion: SQLiteStatement?
    @safe @exclusivity(unchecked) private var lookup: SQLiteStatement?
    private var equality: SQLiteStatement?
    @safe @exclusivity(unchecked) private var updates: [ColumnSet: ColumnUpdate] = [:]
    /// The last used update: most elements have the same attributes.
    @safe @exclusivity(unchecked) private var lastUpdate: ColumnUpdate?
    /// Limits the number of statements if elements contain varying attributes.
    private static let maximumOfUpdates = 32

    init(entityAt index: Int, of model: ObjectModel, in database: SQLiteDatabase, usesLookups: Bool) {
        let entity = model.entities[index]
        description = entity
        self.database = database
        self.usesLookups = usesLookups && !entity.identity.isEmpty
        name = Schema.quoted(entity.name)
        identity = entity.identity.compactMap { name in entity.attributes.firstIndex { $0.name == name } }
        let isInteger = identity.count == 1 && entity.attributes[identity[0]].type == AttributeType(.integer)
        integerIdentity = isInteger ? identity[0] : nil
        let toOnes = entity.relationships.filter { !$0.isToMany }
        columnNames = entity.attributes.map(\.name) + toOnes.map(\.name)
        columns = columnNames.map(Schema.quoted)
        setColumns = SetColumns(width: columnNames.count + entity.relationships.count)
        links = Array(repeating: .absent, count: toOnes.count)
        relationships = entity.relationships.enumerated().map { position, relationship in
            let destination = model.index(of: relationship.destination) ?? 0
            let storage = model.storage(ofEntityAt: index, relationship: position)
            let inverse = model.entities[destination].relationships.first { $0.name == relationship.inverse }
            return Relationship(
                destination: destination, storage: storage,
                link: toOnes.firstIndex { $0.name == relationship.name }, isToMany: relationship.isToMany,
                isOneToOne: storage == .column && inverse?.isToMany == false,
                isOwning: model.entities[destination].identity.isEmpty && relationship.by.isEmpty
                    && inverse?.by.isEmpty ?? true,
                isKeyed: !relationship.by.isEmpty || inverse?.by.isEmpty == false)
        }
        wires = entity.relationships.indices.compactMap { Wire($0, of: entity, in: model) }
        isOpen = Array(repeating: false, count: wires.count)
        defaults = entity.attributes.map(\.storedDefault)
    }

    /// Continues after the existing rows.
    func continueAfterExistingRows() throws(StoreError) {
        let highest = try database.integer("SELECT max(\"_id\") FROM \(name)")
        let last = max(highest, try database.integer(RowMarks.query, [.text(RowMarks.key(of: description.name))]))
        nextRow = try RowMarks.next(after: last, in: description.name)
        firstNewRow = nextRow
        // Rows whose keys led nowhere are in the table of pending connections: without any, no table is searched for them.
        for (index, wire) in wires.enumerated() {
            isOpen[index] =
                try database.value(
                    #"SELECT 1 FROM "_mappingkit_pending" WHERE "entity" = ? AND "relationship" = ? LIMIT 1"#,
                    [.text(description.name), .text(description.relationships[wire.relationship].name)]) != nil
        }
    }

    /// The number of a row that will be inserted.
    func takeRow() -> Int64 {
        defer { nextRow += 1 }
        return nextRow
    }

    /// Whether a row was inserted by this build.
    func isNew(_ row: Int64) -> Bool { row >= firstNewRow }

    /// Whether an earlier element of this build has set a relationship of a row; records that this one does.
    func isSetAgain(relationship: Int, of row: Int64) -> Bool {
        // Every column of a new row has been set, by an element or with a default.
        isNew(row) || !setColumns.insert([columns.count + relationship], of: row).isEmpty
    }

    func resetComparisons() {
        if !comparedLinks.isEmpty { comparedLinks.removeAll(keepingCapacity: true) }
        if !losingRelationships.isEmpty { losingRelationships.removeAll(keepingCapacity: true) }
    }

    func quotedColumn(ofAttribute index: Int) -> String { columns[index] }

    func quotedColumn(ofRelationship index: Int) -> String { Schema.quoted(description.relationships[index].name) }

    /// Records that rows were deleted, of the existing ones and of the new ones.
    func didRemove(_ count: Int) { removed += count }

    // MARK: Statements

    func dropStatements() {
        insertion = nil
        lookup = nil
        equality = nil
        updates.removeAll()
        lastUpdate = nil
    }

    /// Returns the row with the identity in these slots; `nil` if the table has no such row.
    ///
    /// - Parameter keys: The slots of the identity, in the row of any entity. Defaults to those of a row of this one.
    func existingRow(
        by keys: [Int]? = nil, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) -> Int64? {
        let statement = if let lookup { lookup } else { try prepareLookup() }
        lookup = statement
        for (position, attribute) in (keys ?? identity).enumerated() {
            try statement.bind(slots[attribute], of: element, at: position + 1)
        }
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return statement.integer(at: 0)
    }

    /// Writes a new row: every column, absent attributes with their defaults.
    ///
    /// Rows must be inserted in the order of `takeRow()`.
    func insert(_ row: Int64, _ slots: RowSlots, of element: ElementRows) throws(StoreError) {
        let statement = if let insertion { insertion } else { try prepareInsertion() }
        insertion = statement
        try bind(slots, of: element, to: statement)
        for index in links.indices {
            if case .row(let target) = links[index] {
                try statement.bind(target, at: defaults.count + index + 1)
            } else {
                try statement.bindNull(at: defaults.count + index + 1)
            }
        }
        try statement.run()
        // Only the first one after deleted rows: SQLite numbers the following rows.
        if database.lastInsertedRow != row {
            try database.run(
                "UPDATE \(name) SET \"_id\" = ? WHERE \"_id\" = ?",
                [.integer(row), .integer(database.lastInsertedRow)])
        }
        inserted += 1
    }

    /// Writes the values of an element to an existing row; other columns are unchanged.
    ///
    /// - Returns: The attributes and relationships that get a different value than earlier elements of this build had.
    func update(_ row: Int64, _ slots: RowSlots, of element: ElementRows) throws(StoreError) -> [String] {
        merged += 1
        var present = ColumnSet()
        for index in defaults.indices where !slots[index].isAbsent && !identity.contains(index) {
            present.append(index)
        }
        for (index, link) in links.enumerated() {
            if case .absent = link { continue }
            present.append(defaults.count + index)
        }
        var replaced = losingRelationships.map { description.relationships[$0].name }
        defer { if !replaced.isEmpty { conflicts += 1 } }
        guard !present.isEmpty else { return replaced }
        let update = try preparedUpdate(of: present)
        let (columns, comparison) = (update.columns, update.comparison)
        let setAgain = isNew(row) ? columns : setColumns.insert(columns, of: row)
        try bind(columns, row, slots, of: element, to: comparison)
        for (position, value) in update.defaults.enumerated() {
            try comparison.bind(value, at: columns.count + position + 2)
        }
        // Most repeated objects are equal: then nothing is written.
        guard try comparison.step() else { return replaced }
        let differences = columns.indices.map { comparison.integer(at: $0) }
        comparison.reset()
        for (column, difference) in zip(columns, differences) where difference > 1 && setAgain.contains(column) {
            let link = column - defaults.count
            guard link < 0 || comparedLinks.contains(link) else { continue }
            replaced.append(columnNames[column])
        }
        try bind(columns, row, slots, of: element, to: update.update)
        try update.update.run()
        return replaced
    }

    /// Whether the attributes of a row are equal to those of an element's row.
    func isRow(_ row: Int64, equalTo slots: RowSlots, of element: ElementRows) throws(StoreError) -> Bool {
        guard !defaults.isEmpty else { return true }
        let statement = if let equality { equality } else { try prepareEquality() }
        equality = statement
        try bind(slots, of: element, to: statement)
        try statement.bind(row, at: defaults.count + 1)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Binds all attributes, absent ones with their defaults.
    private func bind(_ slots: RowSlots, of element: ElementRows, to statement: SQLiteStatement) throws(StoreError) {
        for index in defaults.indices {
            if slots[index].isAbsent, let value = defaults[index] {
                try statement.bind(value, at: index + 1)
            } else {
                try statement.bind(slots[index], of: element, at: index + 1)
            }
        }
    }

    /// Returns the default of a column, if it is not NULL.
    private func defaultValue(of column: Int) -> StoredValue? {
        guard column < defaults.count, let value = defaults[column], !value.isNull else { return nil }
        return value
    }

    private func bind(
        _ columns: [Int], _ row: Int64, _ slots: RowSlots, of element: ElementRows, to statement: SQLiteStatement
    ) throws(StoreError) {
        for (position, column) in columns.enumerated() {
            if column < defaults.count {
                try statement.bind(slots[column], of: element, at: position + 1)
            } else if case .row(let target) = links[column - defaults.count] {
                try statement.bind(target, at: position + 1)
            } else {
                try statement.bindNull(at: position + 1)
            }
        }
        try statement.bind(row, at: columns.count + 1)
    }

    private func prepareLookup() throws(StoreError) -> SQLiteStatement {
        let conditions = identity.map { "\(columns[$0]) = ?" }.joined(separator: " AND ")
        return try database.prepare("SELECT \"_id\" FROM \(name) WHERE \(conditions)")
    }

    private func prepareEquality() throws(StoreError) -> SQLiteStatement {
        let attributes = columns.prefix(defaults.count).joined(separator: ", ")
        let parameters = repeatElement("?", count: defaults.count).joined(separator: ", ")
        return try database.prepare(
            "SELECT 1 FROM \(name) WHERE (\(attributes)) IS (\(parameters)) AND \"_id\" = ?")
    }

    private func prepareInsertion() throws(StoreError) -> SQLiteStatement {
        // Without a number, SQLite appends the row and assigns the next one; a given number would be searched for
        // first.
        let parameters = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        let values = columns.isEmpty ? " DEFAULT VALUES" : "(\(columns.joined(separator: ", "))) VALUES(\(parameters))"
        return try database.prepare("INSERT INTO \(name)\(values)")
    }

    private func preparedUpdate(of present: ColumnSet) throws(StoreError) -> ColumnUpdate {
        if let lastUpdate, lastUpdate.set == present { return lastUpdate }
        let update = if let known = updates[present] { known } else { try prepareUpdate(of: present) }
        lastUpdate = update
        return update
    }

    private func prepareUpdate(of present: ColumnSet) throws(StoreError) -> ColumnUpdate {
        if updates.count >= Self.maximumOfUpdates { updates.removeAll() }
        let update = try ColumnUpdate(of: present, in: database, table: name) { (columns[$0], defaultValue(of: $0)) }
        updates[present] = update
        return update
    }
}
