import ObjectMapping

extension ImportTable {
    /// A relationship that is set by keys.
    final class Connection {
        /// The keys, and the condition under which they apply.
        struct Rule {
            /// The columns of the keys, in the order of the destination's identity or of the unique attributes.
            let keys: [Int]
            /// The unique attributes of the destination; empty for its identity.
            let matching: [String]
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
        private(set) var rules: [Rule] = []
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
        }

        func add(_ rule: Rule) { rules.append(rule) }

        func layout(_ columns: [Column]) -> Layout {
            let rule = rules[0]
            let isPlain = rules.count == 1 && rule.conditions.isEmpty && rule.closures.isEmpty && listType == nil
            return Layout(
                keySlot: isPlain && rule.keys.count == 1 && rule.matching.isEmpty ? columns[rule.keys[0]].slot : nil,
                relationship: relationship, destination: destination.index, written: written)
        }

        /// The columns of all rules.
        var columns: [Int] { rules.flatMap { $0.keys + $0.conditions.map(\.column) } }
        /// Whether conditions read the scratch object.
        var needsObject: Bool { rules.contains { !$0.closures.isEmpty } }
    }

    /// Returns the connections of a table; several rules for a relationship are one connection.
    static func connections(
        of table: RowTable, _ columns: [Column], _ object: ManagedObject?, _ entity: StoredEntity,
        _ store: ManagedObjectStore
    ) throws -> [Connection] {
        var writtenCount = 0
        var connections: [Connection] = []
        for connection in table.connections {
            let index = try relationship(named: connection.name, of: entity)
            let relationship = entity.relationships[index]
            let destination = store.entities[relationship.destination]
            let rule = try rule(connection, table, relationship.isToMany, destination, object) { slot in
                columns.firstIndex { $0.slot == slot }
            }
            if let known = connections.first(where: { $0.relationship == index }) {
                known.add(rule)
                continue
            }
            let isWritten = relationship.isPlainColumn(to: destination)
            let new = Connection(
                index, to: destination, relationship.isToMany ? table.columns[connection.keys[0]].type : nil,
                written: isWritten ? writtenCount : nil)
            if isWritten { writtenCount += 1 }
            new.add(rule)
            connections.append(new)
        }
        return connections
    }

    private static func rule(
        _ connection: RowConnection, _ table: RowTable, _ isList: Bool, _ destination: StoredEntity,
        _ object: ManagedObject?, _ position: (Int) -> Int?
    ) throws -> Connection.Rule {
        let attributes = destination.description.attributes
        let matched = connection.matching?.compactMap { name in attributes.firstIndex { $0.name == name } }
        // Keys have the order of the class, statements that of the file.
        let order = matched ?? destination.identity.sorted()
        let kind = "\(destination.name)'s \(matched == nil ? "identity" : "unique attributes")"
        let keys = try (matched ?? destination.identity).compactMap { attribute -> Int? in
            guard let place = order.firstIndex(of: attribute), connection.keys.indices.contains(place),
                let column = position(connection.keys[place])
            else { return nil }
            let type = attributes[attribute].type
            guard table.columns[connection.keys[place]].type == AttributeType(type.scalar, isList: isList) else {
                throw mistake(
                    "keys of \(table.name).\(connection.name) with the types of \(kind)",
                    table.columns[connection.keys[place]].name)
            }
            return column
        }
        guard keys.count == (connection.matching?.count ?? destination.identity.count) else {
            throw mistake(
                "a stored key of \(table.name).\(connection.name) for each part of \(kind)", "\(keys.count)")
        }
        return Connection.Rule(
            keys: keys, matching: connection.matching ?? [],
            conditions: connection.conditions.compactMap { condition in
                guard case .equals(let slot, let value) = condition, let column = position(slot) else { return nil }
                return (column, StorageForm.value(of: value, as: table.columns[slot].type) ?? .null)
            },
            closures: connection.conditions.compactMap { condition in
                guard case .closure(let isMet) = condition, let object else { return nil }
                return { isMet(object) }
            })
    }
}
