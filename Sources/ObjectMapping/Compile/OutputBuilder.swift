/// Compiles rules to a plan for writing: merges their key paths into one trie per mapping, in the order of the rules.
final class OutputBuilder: PlanCompiler {
    /// One object while rules are added.
    final class Draft {
        enum Key: Equatable {
            case text(ExactText)
            /// A value of the model, with the name of its placeholder in key paths.
            case placeholder(String)
            /// The members of the value are the object's own.
            case none
        }

        struct Action {
            var key: Key
            var entry: OutputEntry
            var level: Draft?
            var keyPath: AnyKeyPath?

            /// Whether the value is a number, a Boolean, a text or a date, and never an object.
            var isPlain: Bool { (entry.box?.object.plainOperation ?? entry.operation).isScalar }
        }

        let node: Ref<OutputNode>
        /// For a level, the object written by the mapping: it retains the level, and the builder retains both.
        unowned let owner: Draft?
        /// The class of the managed objects that the node writes.
        let stored: (any StoredModel.Type)?
        fileprivate(set) var actions: [Action] = []
        /// The rules for keys that are values, with the names of their placeholders.
        fileprivate var keyRules: [(name: String, entry: OutputEntry)] = []

        fileprivate init(_ node: Ref<OutputNode>, owner: Draft?, _ stored: (any StoredModel.Type)?) {
            self.node = node
            self.owner = owner
            self.stored = stored
        }
    }

    /// The target of entries without a key.
    private(set) lazy var noKey = memory.padded(.empty)
    /// Finds errors that do not prevent writing, after all rules are known.
    private var checks: [(OutputBuilder) -> [MappingIssue]] = []
    private var drafts: [Draft] = []
    private var known: [Position: Draft] = [:]
    /// The storages of the mappings in relationships.
    private var storages: [ObjectIdentifier: ObjectIdentifier] = [:]
    /// The boxes of mappings that select by content.
    var matching: [Position: OutputBox] = [:]
    private var identities: [AnyKeyPath] = []
    /// The members that are not written.
    var omitted = OmittedMembers()
    /// Whether objects in relationships are written with their identity even if it is read-only.
    var writesIdentities = false

    // MARK: Objects of mappings

    /// Returns the box that writes the objects of a mapping.
    ///
    /// - Parameter identity: Identifies the mapping in all relationships of a plan, so that cycles end.
    func objects<Model>(_ mapping: Mapping<Model>, identity: ObjectIdentifier) -> OutputBox {
        hold(mapping.storage)
        identities += mapping.storage.traits.identity.map(\.keyPath)
        // A computed mapping has a new storage at each use.
        let storage = storages[identity] ?? ObjectIdentifier(mapping.storage)
        storages[identity] = storage
        return mapping.storage.output(storage, self)
    }

    /// Returns the object written by rules; created once for each identity, so that cycles end.
    func object(
        _ rules: MappingRules, _ keys: KeyNaming, of model: Any.Type, identity: ObjectIdentifier
    ) -> OutputBox {
        func output(_ draft: Draft) -> OutputBox {
            model is AnyClass ? ReferenceOutput(draft.node, draft.stored) : ObjectOutput(draft.node)
        }
        let position = position(of: identity)
        if let draft = known[position] { return output(draft) }
        let draft = newDraft(owner: nil, model as? any StoredModel.Type)
        known[position] = draft
        nested { for rule in rules.rules { add(rule, rules.levels, keys, to: draft) } }
        return output(draft)
    }

    /// Returns the object written by the values from which a model is created.
    func converted<Model, Values>(
        _ mapping: () -> Mapping<Values>, _ values: @escaping (Model) -> Values
    ) -> OutputBox {
        var box = OutputBox()
        nested {
            let mapping = mapping()
            box = objects(mapping, identity: ObjectIdentifier(mapping.storage))
        }
        return ConvertedOutput<Values, Model>(box, values)
    }

    /// Adds an error in the mapping.
    func note(_ expected: String, _ found: String, rule: Int32 = -1) {
        issues.append(.mapping(expected, found, rule: rule < 0 ? nil : rules[Int(rule)].description))
    }

    /// Adds a check for `validate()`.
    func check(_ body: @escaping (OutputBuilder) -> [MappingIssue]) { checks.append(body) }

    /// The members that rules write in the objects of a node.
    func actions(of node: Ref<OutputNode>) -> [Draft.Action] { drafts[node.pointee.id].actions }

    /// Returns errors for keys that one rule writes as a plain value, and others as an object.
    private func sharedKeys(of draft: Draft) -> [MappingIssue] {
        draft.actions.compactMap { action in
            guard case .text(let key) = action.key, action.level == nil, action.isPlain,
                let level = draft.actions.first(where: { $0.key == action.key && $0.level != nil })?.level,
                let other = firstRule(of: level)
            else { return nil }
            return .mapping(
                "one written form of the key '\(key.text)' (`.readOnly` excludes a rule from writing)",
                "a value, and an object by the rule \(rules[Int(other)])",
                rule: rules[Int(action.entry.rule)].description)
        }
    }

    private func firstRule(of level: Draft) -> Int32? {
        level.actions.lazy.compactMap { $0.level.map(self.firstRule) ?? $0.entry.rule }.first
    }

    /// Whether the objects of a node have a member at a path that rules write.
    func writes(_ keys: ArraySlice<String>, in node: Ref<OutputNode>?) -> Bool {
        guard let node, let key = keys.first else { return false }
        return drafts[node.pointee.id].actions.contains { action in
            let inner = action.level?.node ?? action.entry.box?.object.node
            switch action.key {
            case .none: return writes(keys, in: inner)
            case .placeholder: return false
            case .text(let text): return text.text == key && (keys.count == 1 || writes(keys.dropFirst(), in: inner))
            }
        }
    }

    private func newDraft(owner: Draft?, _ stored: (any StoredModel.Type)? = nil) -> Draft {
        let node = memory.allocate(1, of: OutputNode.self)
        node.initialize(to: OutputNode(entries: memory.allocate(0, of: OutputEntry.self), id: drafts.count))
        let draft = Draft(node, owner: owner, stored)
        drafts.append(draft)
        return draft
    }

    // MARK: Rules

    private func add(_ rule: RuleStorage, _ levels: PlaceholderLevels, _ keys: KeyNaming, to draft: Draft) {
        guard let property = rule.property, rule.source.isWritten else { return }
        let source = rule.source(keys)
        let isReadOnly = rule.options.direction == .readOnly && !isWrittenIdentity(property)
        let outer = omitted.current
        defer { omitted.current = outer }
        guard source.map({ omitted.enter($0, isReadOnly: isReadOnly) }) ?? true, !isReadOnly else { return }
        let number = Int32(rules.count)
        rules.append(Plan.Rule(rule, source ?? rule.source))
        guard let source else {
            let (expected, found) = RuleStorage.namelessProperty
            return note(expected, found, rule: number)
        }
        if let mistake = property.trap { return note(mistake.expected, mistake.found, rule: number) }
        var entry = rule.plan.output(of: property, self)
        entry.rule = number
        entry.whenNil = rule.options.whenNil
        add(entry, property, source, levels, to: draft)
    }

    private func isWrittenIdentity(_ property: Property) -> Bool {
        writesIdentities && identities.contains(property.keyPath())
    }

    private func add(
        _ entry: OutputEntry, _ property: Property, _ source: MappingSource, _ levels: PlaceholderLevels,
        to draft: Draft
    ) {
        switch source.kind {
        case .path(let path):
            // The value itself is below all data keys, other members are next to them.
            place(entry, property, path, under: path.components.isEmpty ? levels.names : [], in: draft)
        case .keyed(let names, let path):
            place(entry, property, path, under: names.map(levels.levelName), in: draft)
        case .key(let name): draft.keyRules.append((name ?? "key", entry))
        case .first(let sources):
            guard let first = sources.first(where: \.isWritten) else { return }
            add(entry, property, first, levels, to: draft)
        case .parent, .root, .metadata, .index, .propertyName: return
        }
    }

    /// Adds an entry at its keys.
    private func place(
        _ entry: OutputEntry, _ property: Property, _ path: JSONKeyPath, under placeholders: [String], in draft: Draft
    ) {
        if let issue = path.issue { note(issue.expected, issue.found, rule: entry.rule) }
        var draft = draft
        var keys = (path.plainKeys ?? []).map { Draft.Key.text(ExactText(text: $0)) }
        let last = keys.popLast() ?? .none
        for key in placeholders.map(Draft.Key.placeholder) + keys { draft = level(key, in: draft) }
        var action = Draft.Action(key: last, entry: entry, keyPath: property.keyPath())
        if last == .none { action.entry.operation = .inlined }
        draft.actions.append(action)
    }

    private func level(_ key: Draft.Key, in draft: Draft) -> Draft {
        if let known = draft.actions.first(where: { $0.key == key && $0.level != nil })?.level { return known }
        let level = newDraft(owner: draft.owner ?? draft)
        draft.actions.append(
            .init(key: key, entry: OutputEntry(operation: .level, key: noKey, child: level.node), level: level))
        return level
    }

    // MARK: Compiling the plan

    /// Returns the plan, unless there were errors.
    func plan(root: OutputBox) throws(MappingError) -> OutputPlan {
        for draft in drafts { freeze(draft) }
        for draft in drafts { settle(draft) }
        noteRecursion()
        noteUnknownOmissions()
        let shapes = drafts.map(shape)
        let warnings = drafts.flatMap(sharedKeys) + checks.flatMap { $0(self) }
        noteInfiniteMappings()
        guard issues.isEmpty else { throw MappingError(issues) }
        return OutputPlan(
            root: root, rules: rules, shapes: shapes, stored: storedNodes, identity: Set(identities),
            warnings: warnings,
            memory: memory)
    }

    /// Marks the nodes of objects that can contain themselves.
    private func noteRecursion() {
        let inner = drafts.map { draft in
            draft.actions.flatMap { action in
                action.level.map { [$0.node.pointee.id] } ?? action.entry.box?.object.nodes.map(\.pointee.id) ?? []
            }
        }
        for draft in drafts where draft.owner == nil {
            var found: Set<Int> = []
            var rest = inner[draft.node.pointee.id]
            while let node = rest.popLast() { if found.insert(node).inserted { rest += inner[node] } }
            draft.node.pointee.isRecursive = found.contains(draft.node.pointee.id)
        }
    }

    private var storedNodes: [Int: OutputPlan.StoredNode] {
        var nodes: [Int: OutputPlan.StoredNode] = [:]
        for draft in drafts {
            let node = draft.node.pointee
            nodes[node.id] = draft.stored.map {
                OutputPlan.StoredNode(
                    type: $0, isRecursive: node.isRecursive, relationships: relationships(of: draft))
            }
        }
        return nodes
    }

    /// Returns the properties with objects, including those with longer key paths.
    private func relationships(of draft: Draft) -> [(property: AnyKeyPath, nodes: [Int])] {
        draft.actions.flatMap { action in
            if let level = action.level { return relationships(of: level) }
            guard let property = action.keyPath, let nodes = action.entry.box?.object.nodes, !nodes.isEmpty else {
                return []
            }
            return [(property, nodes.map(\.pointee.id))]
        }
    }

    private func freeze(_ draft: Draft) {
        let entries = memory.allocate(draft.actions.count, of: OutputEntry.self)
        for (index, action) in draft.actions.enumerated() {
            var entry = action.entry
            switch action.key {
            case .text(let key): (entry.key, entry.keySize) = kept(key.text)
            case .placeholder(let name): complete(&entry, name, draft)
            case .none: break
            }
            (entries + index).initialize(to: entry)
        }
        draft.node.pointee.entries = entries
        draft.node.pointee.count = draft.actions.count
    }

    /// Adds the rule of the key to a level with a placeholder.
    private func complete(_ entry: inout OutputEntry, _ name: String, _ draft: Draft) {
        let rules = (draft.owner ?? draft).keyRules
        entry.operation = .keyed
        guard let rule = rules.first(where: { $0.name == name }) else {
            let near = nearestNames(to: name, among: rules.map(\.name))
            return issues.append(
                .mapping(
                    "a rule with the source .key for the placeholder {\(name)}", "no such rule", suggestions: near))
        }
        entry.box = rule.entry.box
        entry.offset = rule.entry.offset
        entry.rule = rule.entry.rule
    }

    private func kept(_ key: String) -> (Bytes, Int) {
        var writer = JSONWriter(capacity: 32)
        writer.key(key)
        return (writer.withBytes(memory.padded), writer.count)
    }

    /// Determines how the members of an object are combined.
    private func settle(_ draft: Draft) {
        let sole = draft.actions.count == 1 ? draft.actions.first : nil
        if let sole, sole.entry.operation == .inlined, sole.entry.box?.object.node == nil {
            draft.node.pointee.isValue = true
        } else {
            var seen: Set<ExactText> = []
            draft.node.pointee.isMerged =
                draft.actions.count > 1
                && draft.actions.contains { action in
                    guard let keys = keysWritten(by: action, []) else { return true }
                    return keys.contains { !seen.insert($0).inserted }
                }
        }
        guard draft.owner == nil else { return }
        draft.node.pointee.keyCount = keyedDepth(of: draft)
        if draft.node.pointee.keyCount == 0, let rule = draft.keyRules.first {
            let entry = memory.allocate(1, of: OutputEntry.self)
            entry.initialize(to: rule.entry)
            draft.node.pointee.memberKey = entry
        }
    }

    /// Returns the keys that an action writes; `nil` if they are not known.
    private func keysWritten(by action: Draft.Action, _ visited: Set<Int>) -> [ExactText]? {
        if case .text(let key) = action.key { return [key] }
        guard case .none = action.key, let node = action.entry.box?.object.node,
            !visited.contains(node.pointee.id)
        else { return nil }
        var keys: [ExactText] = []
        for action in drafts[node.pointee.id].actions {
            guard let more = keysWritten(by: action, visited.union([node.pointee.id])) else { return nil }
            keys += more
        }
        return keys
    }

    private func keyedDepth(of draft: Draft) -> Int {
        draft.actions.map { action in
            guard let level = action.level else { return 0 }
            if case .placeholder = action.key { return 1 + keyedDepth(of: level) }
            return keyedDepth(of: level)
        }.max() ?? 0
    }

    private func shape(of draft: Draft) -> MergePatch.Shape {
        var shape = MergePatch.Shape()
        for action in draft.actions {
            let box = action.entry.box?.object
            let node = action.level.map(\.node) ?? box?.node
            switch action.key {
            case .placeholder:
                shape.ownsAll = true
                shape.keyed = MergePatch.Shape.Member(nodes: node.map { [$0.pointee.id] } ?? [], isLevel: true)
            case .none:
                if let node { shape.merged.append(node.pointee.id) } else { shape.ownsAll = true }
            case .text(let key):
                let isLevel = action.level != nil
                shape.members[key, default: MergePatch.Shape.Member()].add(
                    MergePatch.Shape.Member(
                        nodes: node.map { [$0.pointee.id] } ?? [], isOpaque: node == nil, isLevel: isLevel,
                        isObject: node != nil && !isLevel, isUnordered: box?.isUnordered == true,
                        keyPaths: action.keyPath.map { [$0] } ?? []))
            }
        }
        return shape
    }
}
