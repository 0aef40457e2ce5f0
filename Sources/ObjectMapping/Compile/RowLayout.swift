/// The tables of a plan for rows during compilation.
final class RowLayout {
    private(set) var tables: [RowTable] = []
    /// The columns and relationships of each table by property.
    private var slots: [[AnyKeyPath: Int]] = []

    /// Adds the table of a mapping.
    func addTable(_ type: Any.Type) -> Int32 {
        tables.append(RowTable(name: "\(type)", type: type))
        slots.append([:])
        return Int32(tables.count - 1)
    }

    /// Returns the name of a property; `nil` for a computed property.
    func name(of keyPath: AnyKeyPath) -> String? {
        Property.storedNames(of: keyPath)?.joined(separator: ".")
    }

    /// Returns the entry that reads a rule's value into a row of a table.
    func entry(of rule: RuleStorage, in table: Int32, _ builder: PlanBuilder) -> Entry {
        guard mistake(of: rule) == nil, let keyPath = rule.property?.keyPath(), let name = name(of: keyPath),
            tables.indices.contains(Int(table))
        else { return Entry(operation: .rows) }
        return rule.plan.readsObjects
            ? link(rule, keyPath, name, Int(table), builder) : column(rule, keyPath, name, Int(table), builder)
    }

    private func column(
        _ rule: RuleStorage, _ keyPath: AnyKeyPath, _ name: String, _ table: Int, _ builder: PlanBuilder
    ) -> Entry {
        let index = slots[table][keyPath] ?? tables[table].columns.count
        if index == tables[table].columns.count {
            tables[table].columns.append(
                RowColumn(name: name, type: rule.plan.columnType, isOptional: rule.plan.isOptional))
            slots[table][keyPath] = index
        }
        let options = rule.options
        if !rule.plan.isColumnExact || !options.wrappers.isEmpty || options.hasFallback || options.policy != .set {
            tables[table].isPlain = false
        }
        return rule.plan.slot(index, of: rule, builder)
    }

    private func link(
        _ rule: RuleStorage, _ keyPath: AnyKeyPath, _ name: String, _ table: Int, _ builder: PlanBuilder
    ) -> Entry {
        tables[table].isPlain = false
        let index = slots[table][keyPath] ?? tables[table].relationships.count
        let shape = rule.plan.listShape
        if index == tables[table].relationships.count {
            tables[table].relationships.append(
                RowLink(name: name, isToMany: shape != nil, policy: rule.options.policy))
            slots[table][keyPath] = index
        }
        var entry = Entry(
            operation: .rows, acceptsNull: rule.plan.acceptsNull, isList: shape != nil, offset: index)
        guard let objects = rule.plan.objects(builder) else { return entry }
        tables[table].relationships[index].destination = objects is RowBox ? Int(objects.node.pointee.entity) : nil
        if let flat = objects.flatObjects, rule.source.isCurrentValue, shape != .member {
            _ = builder.keep(objects)
            entry.box = builder.keep(FlattenedObjectBox(objects, flat.node) as ValueBox)
            builder.flatten(by: flat.node, isList: shape != nil)
        } else if objects is RowBox, shape != .member {
            entry.child = objects.node
        } else {
            _ = builder.keep(objects)
            entry.box = builder.keep(RowListBox(objects, each: shape ?? .element) as ValueBox)
        }
        return entry
    }

    /// Adds the traits of a mapping to its table.
    func add<Model>(_ traits: MappingTraits<Model>, to table: Int32, _ builder: PlanBuilder) {
        let (model, index) = ("\(Model.self)", Int(table))
        func column(_ keyPath: AnyKeyPath, for purpose: String) -> Int? {
            if let column = slots[index][keyPath] { return column }
            builder.mistake(
                expected: "a rule that sets \(name(of: keyPath) ?? Property.name(of: keyPath)), \(purpose)",
                found: "no rule")
            return nil
        }
        tables[index].identity = traits.identity.compactMap { column($0.keyPath, for: "the identity of \(model)") }
        tables[index].stamp = traits.stamp.flatMap { column($0.keyPath, for: "the modification stamp of \(model)") }
        for connection in traits.connections {
            let destination = name(of: connection.destination) ?? connection.name
            let conditions = connection.conditions.compactMap { condition -> RowConnection.Condition? in
                guard let property = condition.property, let value = condition.value else {
                    return .closure(condition.isMet)
                }
                return column(property, for: "a condition of the connection \(destination)")
                    .map { .equals(column: $0, value) }
            }
            let keys = connection.keys.compactMap { column($0.keyPath, for: "a key of the connection \(destination)") }
            let matching = connection.matching.map { $0.map { name(of: $0) ?? Property.name(of: $0) } }
            tables[index].connections.append(
                RowConnection(name: destination, keys: keys, matching: matching, conditions: conditions))
        }
        if traits.hasChecks, !(Model.self is AnyObject.Type) {
            builder.mistake(expected: "a mapping without `validated`, for rows", found: "a check that needs a \(model)")
        }
        tables[index].checks = traits.checks.map { check in { if let model = $0 as? Model { try check(model) } } }
    }

    /// Returns the reason why a rule cannot be read into a row.
    func mistake(of rule: RuleStorage) -> PlanMistake? {
        guard let keyPath = rule.property?.keyPath() else {
            return PlanMistake(
                expected: "a property for each parameter, which imports require: `Parameter(\"id\", \\.id)`",
                found: "no property")
        }
        guard name(of: keyPath) != nil else {
            return PlanMistake(
                expected: "a stored property, for rows: its name is the name of the column",
                found: "a computed or observed property")
        }
        guard rule.options.policy != .union || rule.plan.readsObjects else {
            return PlanMistake(
                expected: "a list of values that replaces the stored one, for rows",
                found: "the policy 'union', which adds values to those of an object")
        }
        guard rule.plan.isStorable else {
            return PlanMistake(
                expected: "an object, or an array or a set of objects, for rows", found: "another container of objects")
        }
        return nil
    }
}
