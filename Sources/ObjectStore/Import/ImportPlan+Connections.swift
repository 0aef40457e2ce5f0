import ObjectMapping

extension ImportPlan {
    /// Returns the connections of a table; several rules for a relationship are one connection.
    static func connections(
        of table: RowTable, _ columns: [Column], _ entity: StoredEntity, _ entities: [StoredEntity]
    ) throws -> [KeyedRelationship] {
        var rules: [(relationship: Int, rules: [KeyedRelationship.Rule], listType: AttributeType?)] = []
        for connection in table.connections {
            let index = try relationship(named: connection.name, of: entity)
            let relationship = entity.relationships[index]
            let rule = try rule(connection, table, relationship.isToMany, entities[relationship.destination]) { slot in
                columns.first { $0.slot == slot }?.attribute
            }
            if let known = rules.firstIndex(where: { $0.relationship == index }) {
                rules[known].rules.append(rule)
            } else {
                rules.append((index, [rule], relationship.isToMany ? table.columns[connection.keys[0]].type : nil))
            }
        }
        return rules.map { index, rules, listType in
            KeyedRelationship(index, of: entity, rules, listType) { attribute in
                columns.first { $0.attribute == attribute }?.slot ?? 0
            }
        }
    }

    private static func rule(
        _ connection: RowConnection, _ table: RowTable, _ isList: Bool, _ destination: StoredEntity,
        _ attributeOfSlot: (Int) -> Int?
    ) throws -> KeyedRelationship.Rule {
        let attributes = destination.description.attributes
        let matched = connection.matching?.compactMap { name in attributes.firstIndex { $0.name == name } }
        // Keys have the order of the class, statements that of the file.
        let order = matched ?? destination.identity.sorted()
        let kind = "\(destination.name)'s \(matched == nil ? "identity" : "unique attributes")"
        let keys = try (matched ?? destination.identity).compactMap { attribute -> Int? in
            guard let place = order.firstIndex(of: attribute), connection.keys.indices.contains(place),
                let key = attributeOfSlot(connection.keys[place])
            else { return nil }
            let type = attributes[attribute].type
            guard table.columns[connection.keys[place]].type == AttributeType(type.scalar, isList: isList) else {
                throw mistake(
                    "keys of \(table.name).\(connection.name) with the types of \(kind)",
                    table.columns[connection.keys[place]].name)
            }
            return key
        }
        guard keys.count == (connection.matching?.count ?? destination.identity.count) else {
            throw mistake(
                "a stored key of \(table.name).\(connection.name) for each part of \(kind)", "\(keys.count)")
        }
        let conditions = connection.conditions.compactMap { condition -> (attribute: Int, value: StoredValue)? in
            guard case .equals(let slot, let value) = condition, let attribute = attributeOfSlot(slot) else {
                return nil
            }
            return (attribute, StorageForm.value(of: value, as: table.columns[slot].type) ?? .null)
        }
        return KeyedRelationship.Rule(
            key: StoredEntity.Key(attributes: keys, matching: connection.matching ?? [], conditions: conditions),
            closures: connection.conditions.compactMap { condition in
                if case .closure(let isMet) = condition { isMet } else { nil }
            })
    }
}
