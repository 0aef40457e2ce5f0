/// Mappings compiled for rows: each object is mapped to a row of a table, and each attribute to a slot of the row.
package final class RowPlan: @unchecked Sendable {  // immutable
    let plan: Plan
    /// The entities of a manifest; empty for a Swift mapping.
    let entities: [RowEntity]
    /// The tables of the rows, by index.
    package let tables: [RowTable]
    /// Reads the elements of a Swift mapping; `nil` for a manifest, whose sources name their entities.
    let root: (box: ValueBox, entry: EntryRef)?
    /// The nodes of the entities' objects, by the entity's index; the last one is that of wrapped elements.
    let nodes: [Int]

    /// Compiles a mapping; ``Mapping/rowPlan()`` compiles each one once.
    ///
    /// - Throws: `MappingError` with all errors in the mapping, and all rules that require a model.
    init<Model>(_ mapping: Mapping<Model>) throws(MappingError) {
        let layout = RowLayout()
        let builder = PlanBuilder(rows: layout)
        let objects = mapping.storage.objects(ObjectIdentifier(mapping.storage), builder)
        let box = objects is RowBox ? objects : RowListBox(objects, each: .element)
        root = (builder.keep(box).object, builder.kept(Entry(operation: .rows, offset: -1)))
        plan = try builder.plan(root: objects.node)
        tables = layout.tables
        entities = []
        nodes = []
    }

    /// Compiles entities that refer to each other by index.
    ///
    /// - Throws: `MappingError` with all errors in the entities.
    package init(entities: [RowEntity]) throws(MappingError) {
        let builder = PlanBuilder()
        var drafts: [PlanBuilder.Draft] = []
        for index in entities.indices {
            let draft = builder.newDraft(model: nil)
            draft.node.pointee.entity = Int32(index)
            drafts.append(draft)
        }
        for (entity, draft) in zip(entities, drafts) { RowPlan.add(entity, to: draft, drafts, builder) }
        let wrapper = builder.newDraft(model: nil)
        // Each wrapper has a separate relationship to its owner, so that they do not remove each other's rows.
        var offset = 0
        for (entity, draft) in zip(entities, drafts) {
            for name in entity.elementNames {
                offset -= 1
                let source = JSONKeyPath(components: [name])
                let rule = builder.rule(source) { entity.name }
                let entry = Entry(operation: .rows, rule: rule, offset: offset, child: draft.node)
                builder.place(entry, at: source, in: wrapper)
            }
        }
        plan = try builder.plan(root: wrapper.node)
        self.entities = entities
        tables = entities.map(RowTable.init)
        root = nil
        nodes = (drafts + [wrapper]).map { $0.node.pointee.id }
    }

    /// Returns the node of an entity's objects; that of wrapped elements for `nil`.
    func node(_ entity: Int?) -> NodeRef { plan.nodes[nodes[entity ?? entities.count]] }

    private static func add(
        _ entity: RowEntity, to draft: PlanBuilder.Draft, _ drafts: [PlanBuilder.Draft], _ builder: PlanBuilder
    ) {
        var joins: [RowCompletion.Join] = []
        var required: [RowCompletion.Required] = []
        var memberNames: [EntryRef] = []
        var slotCount = entity.attributes.count
        for (slot, attribute) in entity.attributes.enumerated() {
            let destination: @Sendable () -> String = { "\(entity.name).\(attribute.name)" }
            var entry = Entry(
                operation: .slot, scalar: attribute.type.scalar, isList: attribute.type.isList, offset: slot,
                box: box(attribute.pattern, attribute.type, attribute.dateFormat, builder))
            // Whether the row is checked after it is complete: a member may exist without a value.
            var isChecked = attribute.isRequired
            switch attribute.source {
            case .path(let path):
                entry.rule = builder.rule(path, destination)
                let isPlain = attribute.pattern == nil && path.plainKeys?.isEmpty == false
                entry.isRequired = attribute.isRequired && isPlain
                if entry.isRequired { entry.nullPolicy = .fail }
                isChecked = isChecked && (!isPlain || path.components.count > 1)
                builder.place(entry, at: path, in: draft)
            case .memberName:
                entry.rule = builder.rule(MappingSource.key, destination)
                memberNames.append(builder.kept(entry))
            case .joined(let parts, let separator):
                let name = parts.map(\.path.description).joined(separator: " + ")
                entry.rule = builder.rule(MappingSource(JSONKeyPath(name)), destination)
                for (index, part) in parts.enumerated() {
                    let entry = Entry(
                        operation: .slot, rule: builder.rule(part.path, destination), offset: slotCount + index,
                        box: box(part.pattern, AttributeType(.string), nil, builder))
                    builder.place(entry, at: part.path, in: draft)
                }
                let slots = Array(slotCount..<slotCount + parts.count)
                joins.append(.init(parts: slots, separator: separator, entry: builder.kept(entry)))
                slotCount += parts.count
            }
            if isChecked { required.append(.init(slot: slot, name: attribute.name, rule: entry.rule)) }
        }
        for (index, relationship) in entity.relationships.enumerated() {
            guard let path = relationship.path else { continue }
            let rule = builder.rule(path) { "\(entity.name).\(relationship.name)" }
            let child = drafts[relationship.destination].node
            let members = relationship.areMembers ? builder.keep(MemberRowsBox(child) as ValueBox) : nil
            let entry = Entry(
                operation: .rows, isList: relationship.isToMany && members == nil, rule: rule, offset: index,
                child: members == nil ? child : nil, box: members)
            builder.place(entry, at: path, in: draft)
        }
        draft.node.pointee.slotCount = Int32(slotCount)
        if !joins.isEmpty || !required.isEmpty || !memberNames.isEmpty {
            let rest = RowCompletion(joins: joins, required: required, memberNames: memberNames)
            draft.node.pointee.completion = builder.keep(rest)
        }
    }

    private static func box(
        _ pattern: String?, _ type: AttributeType, _ format: DateFormat?, _ builder: PlanBuilder
    ) -> Borrowed<ValueBox>? {
        if let pattern { return builder.keep(PatternBox(pattern, type) as ValueBox) }
        return format.map { format in
            let conversion = ConversionBox(Conversion.date(format))
            return builder.keep(StoredBox<Date>(conversion, TypedValuePlan(), isExact: false) as ValueBox)
        }
    }
}

extension Mapping {
    /// Returns the mapping compiled for rows.
    ///
    /// - Throws: `MappingError` with all errors in the mapping, and all rules that require a model.
    package func rowPlan() throws(MappingError) -> RowPlan { try storage.rowPlan() }
}
