import ObjectMapping

/// How an import writes the rows of a mapping's table.
struct ImportPlan: Sendable {
    /// An attribute that the mapping reads.
    struct Column: Sendable {
        /// The index of the attribute.
        let attribute: Int
        let slot: Int
        let isRequired: Bool
        /// The attribute whose default differs from row to row; `nil` for others.
        let varying: ManagedAttribute?
    }

    /// A relationship whose objects are nested in the payload.
    struct Nested: Sendable {
        let relationship: Int
        let policy: AssignmentPolicy
        /// The index of its column among the links; `nil` if other tables depend on it.
        let link: Int?
        /// The relationship of its objects whose column stores it; `nil` for other forms.
        let inverse: Int?
    }

    /// The to-one relationships whose columns are written with the row.
    ///
    /// First those that keys set, then nested ones, then those that are written with new rows only.
    struct Links: Sendable {
        let relationships: [Int]
        /// By connection, the index of its column; `nil` if other tables depend on it.
        let ofConnections: [Int?]
        /// The number of those that are compared with the stored row.
        let compared: Int
        /// By relationship, the index of the column that is set with the parent of a new row; `nil` for others.
        let ofParents: [Int?]
    }

    /// The defaults of attributes.
    struct Defaults: Sendable {
        /// Those of attributes that the mapping does not read.
        let values: [StoredValue]
        /// Attributes with a default that differs from row to row, and that the mapping does not read.
        let varying: [ManagedAttribute]
        /// The columns whose defaults differ from row to row.
        let varyingColumns: [Int]
    }

    /// What a row needs to be written.
    struct Requirements: Sendable {
        /// The slots of the identity without generated parts, with the attributes.
        let identity: [(slot: Int, attribute: ManagedAttribute)]
        /// The columns that a new row needs.
        let columns: [Column]
        /// The indexes of the to-one relationships that every object must have.
        let relationships: [Int]
    }

    /// The rules that are evaluated with an object.
    struct ObjectRules: Sendable {
        /// The slots of the attributes.
        let attributes: [(slot: Int, index: Int)]
        /// Throws the error of a validation that rejects the object.
        let checks: [@Sendable (AnyObject) throws -> Void]
    }

    let plan: TablePlan
    let columns: [Column]
    /// The columns of unique attributes with which objects can be connected.
    let unique: [Int]
    let nested: [Nested]
    let links: Links
    /// By attribute, the slot of its value; `nil` without a rule.
    let slots: [Int?]
    /// `nil` if no rule requires an object.
    let objectRules: ObjectRules?
    let defaults: Defaults
    let required: Requirements
    let statements: Statements
    /// The number of columns per value with a bit for each.
    static let groupSize = 32

    var entity: StoredEntity { plan.entity }

    /// Returns the plans for the tables of a mapping.
    ///
    /// - Throws: `StoreError` or `MappingError` for a mapping whose rules the store does not support.
    static func plans(of tables: [RowTable], in store: ManagedObjectStore) throws -> [ImportPlan] {
        let entities = try tables.map { table in
            guard let entity = table.type.flatMap(store.knownEntity(of:)) else {
                throw StoreError(
                    .unknownEntity, "cannot import \(table.name): the class is not part of the store's model",
                    advice: "import managed classes of the store's model")
            }
            return entity
        }
        var nested: Set<[Int]> = []
        for (table, entity) in zip(tables, entities) {
            for (index, relationship) in entity.relationships.enumerated()
            where table.relationships.contains(where: { $0.name == relationship.name }) {
                nested.insert([entity.index, index])
            }
        }
        return try zip(tables, entities).map { try ImportPlan($0, $1, store.entities, nested) }
    }

    /// - Parameter nested: The entities and relationships whose objects are nested in the payload.
    private init(
        _ table: RowTable, _ entity: StoredEntity, _ entities: [StoredEntity], _ nested: Set<[Int]>
    ) throws {
        let columns = try Self.columns(of: table, entity)
        self.columns = columns
        let (identity, requiredIdentity) = try Self.identity(of: entity, columns)
        slots = entity.columnNames.indices.map { index in columns.first { $0.attribute == index }?.slot }
        let connections = try Self.connections(of: table, columns, entity, entities)
        plan = TablePlan(
            entity, slots: columns.map(\.slot), identity: identity.map { columns[$0].slot },
            defaults: columns.map { entity.description.attributes[$0.attribute].storedDefault ?? .null },
            keyed: connections)
        let names = entity.isTarget ? Set(entity.uniqueAttributes.joined()) : []
        unique = columns.indices.filter { names.contains(entity.description.attributes[columns[$0].attribute].name) }
        required = Requirements(
            identity: requiredIdentity,
            columns: zip(columns, plan.defaults).filter { $0.isRequired && $1?.isNull ?? true }.map(\.0),
            relationships: entity.toOnes.filter { entity.relationships[$0].isRequired })
        objectRules = table.objectRules.isEmpty ? nil : ObjectRules(table, entity)
        (self.nested, links) = try Self.links(of: table, connections, entity, entities, nested)
        let (read, unread) = Self.defaults(of: entity, columns)
        defaults = read
        let written = links.relationships.map { entity.relationships[$0].column }
        statements = Statements(
            of: entity,
            columns.map { entity.columnNames[$0.attribute] } + written.prefix(links.compared),
            others: unread.map { entity.columnNames[$0] } + written.dropFirst(links.compared), identity: identity,
            stamp: table.stamp.flatMap { slot in columns.firstIndex { $0.slot == slot } })
    }

    /// Returns the nested relationships, and the columns that are written with the row.
    private static func links(
        of table: RowTable, _ connections: [KeyedRelationship], _ entity: StoredEntity, _ entities: [StoredEntity],
        _ nested: Set<[Int]>
    ) throws -> ([Nested], Links) {
        let declared = try table.relationships.map {
            (index: try relationship(named: $0.name, of: entity), policy: $0.policy)
        }
        let plain = entity.toOnes.filter { entity.relationships[$0].isPlainColumn(in: entities) }
        let keyed = connections.map(\.relationship).filter(plain.contains)
        let isListed = { (index: Int) in
            let relationship = entity.relationships[index]
            return relationship.inverse.map { nested.contains([relationship.destination, $0]) } ?? false
        }
        // Objects in nested lists of the inverse change the same column.
        let own = declared.filter { rule in
            plain.contains(rule.index) && !isListed(rule.index)
                && !connections.contains { $0.relationship == rule.index }
        }
        // The old object is deleted, or its absence is an error: that takes more than a column.
        let isCompared = { (rule: (index: Int, policy: AssignmentPolicy)) in
            rule.policy != .replace && !entity.relationships[rule.index].isRequired
        }
        let ofParents = plain.filter { index in
            isListed(index) && !connections.contains { $0.relationship == index }
                && !declared.contains { $0.index == index }
        }
        let compared = keyed + own.filter(isCompared).map(\.index)
        let all = compared + own.filter { !isCompared($0) }.map(\.index)
        let links = Links(
            relationships: all + ofParents, ofConnections: connections.map { keyed.firstIndex(of: $0.relationship) },
            compared: compared.count,
            ofParents: entity.relationships.indices.map { ofParents.firstIndex(of: $0).map { all.count + $0 } })
        let relationships = declared.map { rule in
            let relationship = entity.relationships[rule.index]
            let isColumn = if case .inverseColumn = relationship.storage { true } else { false }
            return Nested(
                relationship: rule.index, policy: rule.policy,
                link: own.contains { $0.index == rule.index } ? all.firstIndex(of: rule.index) : nil,
                inverse: isColumn ? relationship.inverse : nil)
        }
        return (relationships, links)
    }

    /// Returns the defaults of attributes, and the attributes that the mapping does not read.
    private static func defaults(of entity: StoredEntity, _ columns: [Column]) -> (Defaults, unread: [Int]) {
        let read = Set(columns.map(\.attribute))
        let unread = entity.description.attributes.enumerated().compactMap { index, attribute in
            read.contains(index)
                ? nil : attribute.storedDefault.flatMap { $0.isNull ? nil : (attribute: index, value: $0) }
        }
        let varying = entity.columnNames.indices.filter {
            !read.contains($0) && entity.type.attributes[$0].hasVaryingDefault
        }
        let defaults = Defaults(
            values: unread.map(\.value), varying: varying.map { entity.type.attributes[$0] },
            varyingColumns: columns.indices.filter { columns[$0].varying != nil })
        return (defaults, unread.map(\.attribute) + varying)
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
                attribute: index, slot: slot, isRequired: attribute.isRequired,
                varying: attribute.hasVaryingDefault ? attribute : nil)
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

extension ImportPlan.ObjectRules {
    fileprivate init(_ table: RowTable, _ entity: StoredEntity) {
        attributes = table.columns.enumerated().compactMap { slot, column in
            entity.type.attributes.firstIndex { $0.name == column.name }.map { (slot, $0) }
        }
        checks = table.checks
    }
}

extension ImportPlan {
    /// The statements for the rows of a table.
    struct Statements: Sendable {
        /// The names of all columns that are compared and updated, quoted.
        let names: [String]
        /// Finds the row of an identity: its number, whether the payload is not newer, and a bit for each changed column,
        /// in groups; `nil` for a class without identity.
        let lookup: String?
        /// Inserts a row, unless one with its identity exists.
        let insertion: String

        /// - Parameters:
        ///   - names: The columns that are compared and updated, quoted.
        ///   - others: The other columns of new rows, quoted.
        ///   - identity: The columns of the identity.
        ///   - stamp: The column of the modification stamp.
        fileprivate init(of entity: StoredEntity, _ names: [String], others: [String], identity: [Int], stamp: Int?) {
            self.names = names
            let places = Array(names.enumerated())
            let groups = stride(from: 0, to: places.count, by: ImportPlan.groupSize).map { first -> String in
                let group = places[first..<min(first + ImportPlan.groupSize, places.count)]
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
            insertion =
                EntityStatements.insertion(into: entity.table, ["\"_id\""] + names + others)
                + (identity.isEmpty
                    ? "" : " ON CONFLICT(\(identity.map { names[$0] }.joined(separator: ", "))) DO NOTHING")
        }
    }
}
