import ObjectMapping

/// A table of an import: the columns of a mapping's slots, and the statements.
final class ImportTable {
    /// An attribute that the mapping reads.
    struct Column {
        /// The quoted name.
        let name: String
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

    /// A relationship that is set by keys.
    final class Connection {
        /// The keys, and the condition under which they apply.
        struct Rule {
            /// The columns of the keys, in the order of the destination's identity.
            let keys: [Int]
            let conditions: [(column: Int, value: StoredValue)]
            /// The conditions that read the scratch object.
            let closures: [() -> Bool]
        }

        /// What is read for each row; copying it counts no references.
        struct Layout {
            /// The slot of a single unconditional key; `nil` for other rules.
            let keySlot: Int?
            /// The index of the relationship.
            let relationship: Int
            /// The index of the entity of the targets.
            let destination: Int
            /// The index of its column among those that are written with the row; `nil` if other tables depend on it.
            let written: Int?
        }

        let relationship: Int
        let destination: StoredEntity
        /// The first one whose conditions are met sets the relationship.
        private(set) var rules: [Rule]
        /// The type of the keys in a list; `nil` for a to-one relationship.
        let listType: AttributeType?
        /// The index of its column among those that are written with the row; `nil` if other tables depend on it.
        let written: Int?

        init(
            _ relationship: Int, to destination: StoredEntity, _ listType: AttributeType?, written: Int?
        ) {
            self.relationship = relationship
            self.destination = destination
            self.listType = listType
            self.written = written
            rules = []
        }

        func add(_ rule: Rule) { rules.append(rule) }

        fileprivate func layout(_ columns: [Column]) -> Layout {
            let rule = rules[0]
            let isPlain = rules.count == 1 && rule.conditions.isEmpty && rule.closures.isEmpty && listType == nil
            return Layout(
                keySlot: isPlain && rule.keys.count == 1 ? columns[rule.keys[0]].slot : nil,
                relationship: relationship, destination: destination.index, written: written)
        }

        /// The columns of all rules.
        var columns: [Int] { rules.flatMap { $0.keys + $0.conditions.map(\.column) } }
        /// Whether conditions read the scratch object.
        var needsObject: Bool { rules.contains { !$0.closures.isEmpty } }
    }

    let entity: StoredEntity
    let columns: [Column]
    /// The slots of the columns; copying a column would count references.
    let slots: [Int]
    /// The columns of the identity, in the order of the file; empty if every row is new.
    let identity: [Int]
    /// The slots of the identity without generated parts, with the attributes.
    let requiredIdentity: [(slot: Int, attribute: ManagedAttribute)]
    /// The columns that are required to insert a row.
    let requiredColumns: [Column]
    let stamp: Int?
    let links: [Link]
    let connections: [Connection]
    let layouts: [Connection.Layout]
    /// The object for validations and conditions; `nil` if no rule requires it.
    let scratch: ScratchObject?
    /// The slots of the attributes, for the scratch object.
    let attributes: [(slot: Int, index: Int)]
    /// Throws the error of a validation that rejects the scratch object.
    let checks: [() throws -> Void]
    /// The indexes of the to-one relationships that every object must have.
    let requiredRelationships: [Int]
    /// The number of relationships whose columns are written with the row.
    let writtenLinkCount: Int
    /// Attributes with a default that the mapping does not read.
    let defaults: [StoredValue]
    /// Attributes with a default that differs from row to row, and that the mapping does not read.
    let varyingDefaults: [ManagedAttribute]
    /// Whether any default differs from row to row.
    let hasVaryingDefaults: Bool
    /// The names of all columns that are compared and updated, quoted.
    let names: [String]
    /// Finds the row of an identity: its number, whether the payload is not newer, and a bit for each changed column,
    /// in groups; `nil` for a class without identity.
    let lookup: String?
    /// Inserts a row, unless one with its identity exists.
    let insertion: String
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
        let type = entity.type
        // Transient attributes are not stored.
        let transient = Set(type.attributes.filter(\.isTransient).map(\.name))
        let readable = table.columns.enumerated().filter { !transient.contains($0.element.name) }
        let description = store.model.entity(named: entity.name)
        let columns = try readable.map { slot, column in
            guard let attribute = type.attributes.first(where: { $0.name == column.name }) else {
                throw Self.mistake("an attribute of \(entity.name), for rows", column.name)
            }
            // The values of a set are stored as JSON, in which they are a list.
            let isList = attribute.type == AttributeType(.json) && column.type.isList
            guard attribute.type == column.type || isList else {
                throw Self.mistake(
                    "a rule for \(entity.name).\(column.name) whose values are stored as \(attribute.type)",
                    "\(column.type)")
            }
            return Column(
                name: Schema.quoted(column.name), slot: slot,
                defaultValue: description?.attribute(named: column.name)?.storedDefault ?? .null,
                isRequired: attribute.isRequired, varying: attribute.hasVaryingDefault ? attribute : nil)
        }
        self.columns = columns
        slots = columns.map(\.slot)
        requiredColumns = columns.filter { $0.isRequired && $0.defaultValue.isNull }
        let names = readable.map(\.element.name)
        func position(ofSlot slot: Int) -> Int? { columns.firstIndex { $0.slot == slot } }
        var (identity, requiredIdentity) = ([Int](), [(slot: Int, attribute: ManagedAttribute)]())
        for attribute in entity.identity.map({ type.attributes[$0] }) {
            if let column = names.firstIndex(of: attribute.name) {
                identity.append(column)
                if !attribute.isGenerated { requiredIdentity.append((columns[column].slot, attribute)) }
            } else if !attribute.isGenerated {
                throw Self.mistake("a rule for \(attribute.name), the identity of \(entity.name)", "no such rule")
            }
        }
        // No row has the identity that is generated for a part without a rule.
        if identity.count < entity.identity.count { identity = [] }
        (self.identity, self.requiredIdentity) = (identity, requiredIdentity)
        stamp = table.stamp.flatMap(position)
        if table.objectRules.isEmpty {
            self.scratch = nil
        } else {
            let object = scratch[entity.index] ?? ScratchObject(entity)
            scratch[entity.index] = object
            self.scratch = object
        }
        attributes = table.columns.enumerated().compactMap { slot, column in
            type.attributes.firstIndex { $0.name == column.name }.map { (slot, $0) }
        }
        let object = self.scratch?.object
        checks = object.map { object in table.checks.map { check in { try check(object) } } } ?? []
        requiredRelationships = entity.toOnes.filter { type.relationships[$0].traits.isRequired }
        links = try table.relationships.map { link in
            guard let index = entity.relationships.firstIndex(where: { $0.name == link.name }) else {
                throw Self.mistake("a relationship of \(entity.name), for rows", link.name)
            }
            return Link(relationship: index, policy: link.policy)
        }
        var written: [String] = []
        var connections: [Connection] = []
        for connection in table.connections {
            guard let index = entity.relationships.firstIndex(where: { $0.name == connection.name }) else {
                throw Self.mistake("a relationship of \(entity.name), for rows", connection.name)
            }
            let relationship = entity.relationships[index]
            let destination = store.entities[relationship.destination]
            let rule = try Self.rule(
                connection, table, type.relationships[index].isToMany, destination, object, position)
            if let known = connections.first(where: { $0.relationship == index }) {
                known.add(rule)
                continue
            }
            let isWritten = relationship.isPlainColumn(to: destination)
            if isWritten { written.append(relationship.column) }
            let new = Connection(
                index, to: destination,
                type.relationships[index].isToMany ? table.columns[connection.keys[0]].type : nil,
                written: isWritten ? written.count - 1 : nil)
            new.add(rule)
            connections.append(new)
        }
        self.connections = connections
        layouts = connections.map { $0.layout(columns) }
        writtenLinkCount = written.count
        self.names = columns.map(\.name) + written
        let unread = (description?.attributes ?? []).compactMap { attribute -> (name: String, value: StoredValue)? in
            guard !names.contains(attribute.name), let value = attribute.storedDefault, !value.isNull else {
                return nil
            }
            return (Schema.quoted(attribute.name), value)
        }
        defaults = unread.map(\.value)
        let varying = type.attributes.filter {
            $0.hasVaryingDefault && !$0.isTransient && !names.contains($0.name)
        }
        varyingDefaults = varying
        hasVaryingDefaults = !varying.isEmpty || columns.contains { $0.varying != nil }
        let places = Array(self.names.enumerated())
        let groups = stride(from: 0, to: places.count, by: Self.groupSize).map { first -> String in
            let group = places[first..<min(first + Self.groupSize, places.count)]
            let isEqual = group.map { "\($0.element) IS ?\($0.offset + 1)" }.joined(separator: " AND ")
            let bits = group.map { "((\($0.element) IS NOT ?\($0.offset + 1)) << \($0.offset - first))" }
            // Most rows are equal, which is tested without the bits.
            return "CASE WHEN \(isEqual) THEN 0 ELSE \(bits.joined(separator: " | ")) END"
        }
        let isOld = stamp.map { "coalesce(\(columns[$0].name) >= ?\($0 + 1), 0)" } ?? "0"
        let conditions = identity.map { "\(columns[$0].name) = ?\($0 + 1)" }
        lookup =
            conditions.isEmpty
            ? nil
            : "SELECT \"_id\", \(([isOld] + groups).joined(separator: ", ")) FROM \(entity.table) "
                + "WHERE \(conditions.joined(separator: " AND "))"
        let inserted =
            ["\"_id\""] + self.names + unread.map(\.name) + varying.map { Schema.quoted($0.name) }
        insertion =
            "INSERT INTO \(entity.table)(\(inserted.joined(separator: ", "))) "
            + "VALUES(\(inserted.map { _ in "?" }.joined(separator: ", ")))"
            + (identity.isEmpty
                ? "" : " ON CONFLICT(\(identity.map { columns[$0].name }.joined(separator: ", "))) DO NOTHING")
    }

    private static func rule(
        _ connection: RowConnection, _ table: RowTable, _ isList: Bool, _ destination: StoredEntity,
        _ object: ManagedObject?, _ position: (Int) -> Int?
    ) throws -> Connection.Rule {
        // Keys have the order of the class, statements that of the file.
        let order = destination.type.attributes.indices.filter { destination.type.attributes[$0].isIdentity }
        let keys = try destination.identity.compactMap { attribute -> Int? in
            guard let place = order.firstIndex(of: attribute), connection.keys.indices.contains(place),
                let column = position(connection.keys[place])
            else { return nil }
            let type = destination.type.attributes[attribute].type
            guard table.columns[connection.keys[place]].type == AttributeType(type.scalar, isList: isList) else {
                throw mistake(
                    "keys of \(table.name).\(connection.name) with the types of the identity of \(destination.name)",
                    table.columns[connection.keys[place]].name)
            }
            return column
        }
        guard keys.count == destination.identity.count else {
            throw mistake(
                "a stored key of \(table.name).\(connection.name) for each part of \(destination.name)'s identity",
                "\(keys.count)")
        }
        return Connection.Rule(
            keys: keys,
            conditions: connection.conditions.compactMap { condition in
                guard case .equals(let slot, let value) = condition, let column = position(slot) else { return nil }
                return (column, StorageForm.value(of: value, as: table.columns[slot].type) ?? .null)
            },
            closures: connection.conditions.compactMap { condition in
                guard case .closure(let isMet) = condition, let object else { return nil }
                return { isMet(object) }
            })
    }

    private static func mistake(_ expected: String, _ found: String) -> MappingError {
        MappingError(MappingIssue(kind: .mapping, path: "$", expected: expected, found: found))
    }
}
