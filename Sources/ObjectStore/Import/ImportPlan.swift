import ObjectMapping

/// How an import writes the rows of a mapping's table.
struct ImportPlan: Sendable {
    /// An attribute that the mapping reads.
    struct Column: Sendable {
        /// The index of the attribute.
        let attribute: Int
        let slot: Int
        let isRequired: Bool
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

    /// The links of the plan.
    ///
    /// First those that keys set, then nested ones, then those that are written with new rows only.
    struct Links: Sendable {
        /// By connection, the index of its column; `nil` if other tables depend on it.
        let ofConnections: [Int?]
        /// The number of those that are compared with the stored row.
        let compared: Int
        /// The first one that is set with the parent of a new row.
        let firstOfParents: Int
        /// By column, the to-many relationship that is its inverse; `nil` without one.
        let lists: [CommitChanges.Relationship?]
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
    let required: Requirements
    /// Finds the row of an identity: its number, whether the payload is not newer, and a bit for each changed column, in
    /// groups; `nil` for a class without identity.
    let finding: String?
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
        let written: [Int]
        (self.nested, links, written) = try Self.links(of: table, connections, entity, entities, nested)
        plan = TablePlan(
            entity, of: entities, columns.map(\.attribute), slots: columns.map(\.slot),
            identity: identity.map { columns[$0].slot }, links: written, keyed: connections, isNumbered: true,
            ClassDefaults(of: entity, columns))
        let names = entity.isTarget ? Set(entity.uniqueAttributes.joined()) : []
        unique = columns.indices.filter { names.contains(entity.description.attributes[columns[$0].attribute].name) }
        required = Requirements(
            identity: requiredIdentity,
            columns: zip(columns, plan.defaults).filter { $0.isRequired && $1?.isNull ?? true }.map(\.0),
            relationships: entity.toOnes.filter { entity.relationships[$0].isRequired })
        objectRules = table.objectRules.isEmpty ? nil : ObjectRules(table, entity)
        finding = Self.finding(
            plan.columns.prefix(columns.count + links.compared), in: entity, identity: identity,
            stamp: table.stamp.flatMap { slot in columns.firstIndex { $0.slot == slot } })
    }

    /// Returns the nested relationships, and the to-one relationships whose columns are written with the row.
    private static func links(
        of table: RowTable, _ connections: [KeyedRelationship], _ entity: StoredEntity, _ entities: [StoredEntity],
        _ nested: Set<[Int]>
    ) throws -> ([Nested], Links, written: [Int]) {
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
            ofConnections: connections.map { keyed.firstIndex(of: $0.relationship) }, compared: compared.count,
            firstOfParents: all.count,
            lists: (all + ofParents).map { index in
                let relationship = entity.relationships[index]
                return entities.inverseList(of: relationship).map { list in
                    CommitChanges.Relationship(entity: relationship.destination, index: list)
                }
            })
        let relationships = declared.map { rule in
            let relationship = entity.relationships[rule.index]
            let isColumn = if case .inverseColumn = relationship.storage { true } else { false }
            return Nested(
                relationship: rule.index, policy: rule.policy,
                link: own.contains { $0.index == rule.index } ? all.firstIndex(of: rule.index) : nil,
                inverse: isColumn ? relationship.inverse : nil)
        }
        return (relationships, links, all + ofParents)
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
            return Column(attribute: index, slot: slot, isRequired: attribute.isRequired)
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
    /// - Parameters:
    ///   - columns: The columns that are compared, quoted.
    ///   - identity: The columns of the identity.
    ///   - stamp: The column of the modification stamp.
    private static func finding(
        _ columns: ArraySlice<String>, in entity: StoredEntity, identity: [Int], stamp: Int?
    ) -> String? {
        guard !identity.isEmpty else { return nil }
        let places = Array(columns.enumerated())
        let groups = stride(from: 0, to: places.count, by: groupSize).map { first -> String in
            let group = places[first..<min(first + groupSize, places.count)]
            let isEqual = group.map { "\($0.element) IS ?\($0.offset + 1)" }.joined(separator: " AND ")
            let bits = group.map { "((\($0.element) IS NOT ?\($0.offset + 1)) << \($0.offset - first))" }
            // Most rows are equal, which is tested without the bits.
            return "CASE WHEN \(isEqual) THEN 0 ELSE \(bits.joined(separator: " | ")) END"
        }
        let isOld = stamp.map { "coalesce(\(columns[$0]) >= ?\($0 + 1), 0)" } ?? "0"
        let conditions = identity.map { "\(columns[$0]) = ?\($0 + 1)" }
        return "SELECT \"_id\", \(([isOld] + groups).joined(separator: ", ")) FROM \(entity.table) "
            + "WHERE \(conditions.joined(separator: " AND "))"
    }
}

extension ClassDefaults {
    /// Returns the defaults of an entity that a mapping does not set; `nil` without any.
    fileprivate init?(of entity: StoredEntity, _ columns: [ImportPlan.Column]) {
        let (read, attributes) = (Set(columns.map(\.attribute)), entity.type.attributes)
        varyingColumns = columns.enumerated().compactMap { position, column in
            let attribute = attributes[column.attribute]
            return attribute.hasVaryingDefault ? (position, attribute) : nil
        }
        unread = entity.description.attributes.enumerated().compactMap { index, attribute in
            guard !read.contains(index), let value = attribute.storedDefault, !value.isNull else { return nil }
            return (index, value)
        }
        unreadVarying = entity.columnNames.indices.filter { !read.contains($0) && attributes[$0].hasVaryingDefault }
        replacingNull = columns.map { column in
            let attribute = attributes[column.attribute]
            return attribute.isOptional || attribute.defaultValue.isNull ? nil : attribute.defaultValue
        }
        let isReplacing = replacingNull.contains { $0 != nil }
        if varyingColumns.isEmpty, unread.isEmpty, unreadVarying.isEmpty, !isReplacing { return nil }
    }
}
