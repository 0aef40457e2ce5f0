import ObjectMapping

/// A table of an import: the columns of a mapping's slots, and the statements.
final class ImportTable {
    /// An attribute that the mapping reads.
    struct Column {
        /// The index of the attribute.
        let attribute: Int
        let slot: Int
        let defaultValue: StoredValue
        let isRequired: Bool
        /// The attribute whose default differs from row to row; `nil` for others.
        let varying: ManagedAttribute?
    }

    /// A relationship whose objects are nested in the payload.
    struct Link {
        let relationship: Int
        let policy: AssignmentPolicy
    }

    /// The defaults of attributes.
    struct Defaults {
        /// Those of attributes that the mapping does not read.
        let values: [StoredValue]
        /// Attributes with a default that differs from row to row, and that the mapping does not read.
        let varying: [ManagedAttribute]
        /// Whether any default differs from row to row.
        let areVarying: Bool
    }

    /// What a row needs to be written.
    struct Requirements {
        /// The slots of the identity without generated parts, with the attributes.
        let identity: [(slot: Int, attribute: ManagedAttribute)]
        /// The columns that a new row needs.
        let columns: [Column]
        /// The indexes of the to-one relationships that every object must have.
        let relationships: [Int]
    }

    /// The rules that are evaluated with an object.
    struct ObjectRules {
        let scratch: ScratchObject
        /// The slots of the attributes.
        let attributes: [(slot: Int, index: Int)]
        /// Throws the error of a validation that rejects the object.
        let checks: [() throws -> Void]
    }

    let entity: StoredEntity
    let columns: [Column]
    /// The slots of the columns; copying a column would count references.
    let slots: [Int]
    /// The columns of the identity, in the order of the file; empty if every row is new.
    let identity: [Int]
    /// The columns of unique attributes with which objects can be connected.
    let unique: [Int]
    let links: [Link]
    let connections: [Connection]
    let layouts: [Connection.Layout]
    /// `nil` if no rule requires an object.
    let objectRules: ObjectRules?
    let defaults: Defaults
    let required: Requirements
    let statements: Statements
    // Exclusivity unchecked: one thread imports and no access outlasts a call.
    /// Whether the last row was new: then the next one is inserted without searching for it.
    @safe @exclusivity(unchecked) var isGrowing = false
    /// The number of columns per value with a bit for each.
    static let groupSize = 32

    /// - Parameter scratch: The scratch objects that other tables use, by entity.
    /// - Throws: `StoreError` or `MappingError` for a mapping whose rules the store does not support.
    init(_ table: RowTable, in store: ManagedObjectStore, sharing scratch: inout [Int: ScratchObject]) throws {
        guard let entity = table.type.flatMap(store.knownEntity(of:)) else {
            throw StoreError(
                .unknownEntity, "cannot import \(table.name): the class is not part of the store's model",
                advice: "import managed classes of the store's model")
        }
        self.entity = entity
        let columns = try Self.columns(of: table, entity)
        self.columns = columns
        slots = columns.map(\.slot)
        let (identity, requiredIdentity) = try Self.identity(of: entity, columns)
        self.identity = identity
        let names = entity.isTarget ? Set(entity.uniqueAttributes.joined()) : []
        unique = columns.indices.filter { names.contains(entity.description.attributes[columns[$0].attribute].name) }
        required = Requirements(
            identity: requiredIdentity, columns: columns.filter { $0.isRequired && $0.defaultValue.isNull },
            relationships: entity.toOnes.filter { entity.relationships[$0].isRequired })
        objectRules =
            table.objectRules.isEmpty ? nil : ObjectRules(table, scratch[entity.index] ?? ScratchObject(entity), entity)
        if let object = objectRules?.scratch { scratch[entity.index] = object }
        links = try table.relationships.map {
            Link(relationship: try Self.relationship(named: $0.name, of: entity), policy: $0.policy)
        }
        connections = try Self.connections(of: table, columns, objectRules?.scratch.object, entity, store)
        layouts = connections.map { $0.layout(columns) }
        let read = Set(columns.map(\.attribute))
        let unread = entity.description.attributes.enumerated().compactMap { index, attribute in
            read.contains(index)
                ? nil : attribute.storedDefault.flatMap { $0.isNull ? nil : (attribute: index, value: $0) }
        }
        let varying = entity.columnNames.indices.filter {
            !read.contains($0) && entity.type.attributes[$0].hasVaryingDefault
        }
        defaults = Defaults(
            values: unread.map(\.value), varying: varying.map { entity.type.attributes[$0] },
            areVarying: !varying.isEmpty || columns.contains { $0.varying != nil })
        let written = connections.filter { $0.written != nil }.map { entity.relationships[$0.relationship].column }
        statements = Statements(
            of: entity, columns.map { entity.columnNames[$0.attribute] } + written,
            defaults: (unread.map(\.attribute) + varying).map { entity.columnNames[$0] }, identity: identity,
            stamp: table.stamp.flatMap { slot in columns.firstIndex { $0.slot == slot } })
    }

    private static func columns(of table: RowTable, _ entity: StoredEntity) throws -> [Column] {
        try table.columns.enumerated().compactMap { slot, column in
            guard let index = entity.type.attributes.firstIndex(where: { $0.name == column.name }) else {
                throw mistake("an attribute of \(entity.name), for rows", column.name)
            }
            let attribute = entity.type.attributes[index]
            guard !attribute.isTransient else { return nil }
            // The values of a set are stored as JSON, in which they are a list.
            let isList = attribute.type == AttributeType(.json) && column.type.isList
            guard attribute.type == column.type || isList else {
                throw mistake(
                    "a rule for \(entity.name).\(column.name) whose values are stored as \(attribute.type)",
                    "\(column.type)")
            }
            return Column(
                attribute: index, slot: slot, defaultValue: entity.description.attributes[index].storedDefault ?? .null,
                isRequired: attribute.isRequired, varying: attribute.hasVaryingDefault ? attribute : nil)
        }
    }

    private static func identity(
        of entity: StoredEntity, _ columns: [Column]
    ) throws -> (columns: [Int], required: [(slot: Int, attribute: ManagedAttribute)]) {
        var (identity, required) = ([Int](), [(slot: Int, attribute: ManagedAttribute)]())
        for index in entity.identity {
            let attribute = entity.type.attributes[index]
            if let column = columns.firstIndex(where: { $0.attribute == index }) {
                identity.append(column)
                if !attribute.isGenerated { required.append((columns[column].slot, attribute)) }
            } else if !attribute.isGenerated {
                throw mistake("a rule for \(attribute.name), the identity of \(entity.name)", "no such rule")
            }
        }
        // No row has the identity that is generated for a part without a rule.
        return (identity.count < entity.identity.count ? [] : identity, required)
    }

    static func relationship(named name: String, of entity: StoredEntity) throws -> Int {
        guard let index = entity.relationships.firstIndex(where: { $0.name == name }) else {
            throw mistake("a relationship of \(entity.name), for rows", name)
        }
        return index
    }

    static func mistake(_ expected: String, _ found: String) -> MappingError {
        MappingError(MappingIssue(kind: .mapping, path: "$", expected: expected, found: found))
    }
}

extension ImportTable.ObjectRules {
    fileprivate init(_ table: RowTable, _ scratch: ScratchObject, _ entity: StoredEntity) {
        self.scratch = scratch
        attributes = table.columns.enumerated().compactMap { slot, column in
            entity.type.attributes.firstIndex { $0.name == column.name }.map { (slot, $0) }
        }
        checks = table.checks.map { check in { try check(scratch.object) } }
    }
}

extension ImportTable {
    /// The statements for the rows of a table.
    struct Statements {
        /// The names of all columns that are compared and updated, quoted.
        let names: [String]
        /// Finds the row of an identity: its number, whether the payload is not newer, and a bit for each changed column,
        /// in groups; `nil` for a class without identity.
        let lookup: String?
        /// Inserts a row, unless one with its identity exists.
        let insertion: String

        /// - Parameters:
        ///   - names: The columns that are compared and updated, quoted.
        ///   - defaults: The columns with defaults of new rows, quoted.
        ///   - identity: The columns of the identity.
        ///   - stamp: The column of the modification stamp.
        fileprivate init(of entity: StoredEntity, _ names: [String], defaults: [String], identity: [Int], stamp: Int?) {
            self.names = names
            let places = Array(names.enumerated())
            let groups = stride(from: 0, to: places.count, by: ImportTable.groupSize).map { first -> String in
                let group = places[first..<min(first + ImportTable.groupSize, places.count)]
                let isEqual = group.map { "\($0.element) IS ?\($0.offset + 1)" }.joined(separator: " AND ")
                let bits = group.map { "((\($0.element) IS NOT ?\($0.offset + 1)) << \($0.offset - first))" }
                // Most rows are equal, which is tested without the bits.
                return "CASE WHEN \(isEqual) THEN 0 ELSE \(bits.joined(separator: " | ")) END"
            }
            let isOld = stamp.map { "coalesce(\(names[$0]) >= ?\($0 + 1), 0)" } ?? "0"
            let conditions = identity.map { "\(names[$0]) = ?\($0 + 1)" }
            lookup =
                conditions.isEmpty
                ? nil
                : "SELECT \"_id\", \(([isOld] + groups).joined(separator: ", ")) FROM \(entity.table) "
                    + "WHERE \(conditions.joined(separator: " AND "))"
            let inserted = ["\"_id\""] + names + defaults
            insertion =
                "INSERT INTO \(entity.table)(\(inserted.joined(separator: ", "))) "
                + "VALUES(\(inserted.map { _ in "?" }.joined(separator: ", ")))"
                + (identity.isEmpty
                    ? "" : " ON CONFLICT(\(identity.map { names[$0] }.joined(separator: ", "))) DO NOTHING")
        }
    }
}
