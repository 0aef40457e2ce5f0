/// Compiles rules to a plan: merges their key paths into one trie per mapping and resolves relationships, including
/// cycles.
final class PlanBuilder: PlanCompiler {
    /// A node of the trie while rules are added.
    final class Draft {
        /// The operation on a member's value.
        struct Action {
            /// The rest of the key path, starting with an operator; `nil` if it is empty.
            var path: JSONKeyPath?
            var entry: Entry
            /// The node below, if the action is a step of longer key paths.
            var level: Draft?
        }

        /// The operations on the value of a key, in the order of the rules.
        struct Member {
            let key: String
            let hash: Int
            /// The entry of the only rule, if its key path ends at the key.
            let entry: Entry
            /// All other actions.
            fileprivate(set) var others: [Action]

            var actions: [Action] { others.isEmpty ? [Action(entry: entry)] : others }
        }

        let node: NodeRef
        private(set) var members: [Member] = []
        /// The keys whose values may be used before an object is read completely.
        var watchedKeys: [String] = []
        /// Whether the mapping has any rules.
        var hasRules = false
        var isEmpty: Bool { !hasRules && members.isEmpty && valueActions.isEmpty }
        /// The position of each key, if there are many.
        private var positions: [ExactText: Int] = [:]
        private static var mostUnindexed: Int { 16 }
        var valueActions: [Action] = []
        var context: [ContextRules.Rule] = []
        /// The mapping's rules by number, in the order written.
        var rules: [Int32] = []

        init(_ node: NodeRef) { self.node = node }

        /// Reserves memory for the members of a mapping.
        func reserve(_ count: Int) { members.reserveCapacity(count) }

        func add(_ action: Action, for key: String) {
            let hash = Draft.hash(key)
            if let position = position(of: key, hash) {
                members[position].others = members[position].actions + [action]
                return
            }
            let isOnlyEntry = action.path == nil && action.level == nil
            members.append(Member(key: key, hash: hash, entry: action.entry, others: isOnlyEntry ? [] : [action]))
            guard members.count > Draft.mostUnindexed else { return }
            let first = positions.isEmpty ? 0 : members.count - 1
            for position in first..<members.count { positions[ExactText(text: members[position].key)] = position }
        }

        func actions(for key: String) -> [Action] {
            position(of: key, Draft.hash(key)).map { members[$0].actions } ?? []
        }

        private func position(of key: String, _ hash: Int) -> Int? {
            members.count > Draft.mostUnindexed
                ? positions[ExactText(text: key)]
                : members.firstIndex { $0.hash == hash && ExactText(text: $0.key) == ExactText(text: key) }
        }

        // Sufficient for a few keys, and cheaper than a `Hasher`.
        private static func hash(_ key: String) -> Int {
            key.withView { $0.reduce($0.count) { $0 &* 31 &+ Int($1) } }
        }

        func level(for key: String) -> Draft? { actions(for: key).lazy.compactMap(\.level).first }
    }

    /// Errors that do not prevent decoding.
    private(set) var warnings: [MappingIssue] = []
    private var drafts: [Draft] = []
    private var known = IdentityList<Draft>()
    /// The boxes of mappings that select by content.
    var matching = IdentityList<ObjectBox>()
    private var targets = RuleTargets()
    /// The paths that rules look up around an object.
    var contextPaths = ContextPaths()
    /// Whether the plan reports its steps to a trace.
    let isTraced: Bool
    /// Whether entries are not wrapped in boxes for a trace or a session.
    let isPlain: Bool
    /// The tables of a plan for rows; `nil` for a plan that creates models.
    let rows: RowLayout?
    /// The use of sessions by the plan.
    var registration: RegistrationDraft

    /// - Parameters:
    ///   - isTraced: Whether the plan is used for explanations. Defaults to `false`.
    ///   - isRegistering: Whether it registers models in a session. Defaults to `false`.
    ///   - rows: The tables of a plan for rows. Defaults to `nil`, for a plan that creates models.
    init(isTraced: Bool = false, isRegistering: Bool = false, rows: RowLayout? = nil) {
        self.rows = rows
        self.isTraced = isTraced
        isPlain = !isTraced && !isRegistering
        registration = RegistrationDraft(isUsed: isRegistering)
        super.init()
        rules.reserveCapacity(16)
        drafts.reserveCapacity(4)
    }

    /// Returns the plan, unless there were errors.
    func plan(root: NodeRef) throws(MappingError) -> Plan {
        if contextPaths.isNeeded, !isTraced { known.forEach { contextPaths.watchKeys(in: $0) } }
        for draft in drafts { freeze(draft) }
        for node in memory.nodes {
            node.pointee.setFlags(keepsContext: contextPaths.isNeeded)
            if registration.isUsed { node.pointee.holdsIdentities = node.pointee.mayHoldIdentities() }
        }
        let plan = Plan(
            root: root, memory: memory, rules: rules, outlines: drafts.map(\.rules), context: contextPaths)
        noteInfiniteMappings()
        if !isInfinitelyRecursive {
            noteEmptyMappings(root)
            for rule in targets.recursiveRules {
                mistake(expected: InfiniteRecursion.expected, found: InfiniteRecursion.found, rule: rule)
            }
        }
        guard issues.isEmpty else { throw MappingError(issues + warnings + plan.repeatedDestinations) }
        return plan
    }

    // MARK: Requests of rules

    /// Makes the reader of a node's objects detect duplicates of a key; returns whether that is possible.
    func watch(_ key: String, in node: NodeRef) -> Bool {
        guard !isTraced, let draft = known.first(where: { $0.node == node }) else { return false }
        draft.watchedKeys.append(key)
        return true
    }

    /// Returns the node at which the objects of a mapping are read; created once for each identity, so that cycles end.
    func draft<Model>(
        for identity: ObjectIdentifier, model: ModelBox, _ rules: MappingRules, _ traits: MappingTraits<Model>
    ) -> Draft {
        if let draft = known[identity] {
            targets.requested.append(draft)
            return draft
        }
        let draft = newDraft(model: rows == nil ? model : nil)
        if let rows { draft.node.pointee.entity = rows.addTable(Model.self) }
        known[identity] = draft
        nested { add(rules, to: draft, traits.keys, whenAbsent: traits.whenAbsent) }
        if let rows {
            rows.add(traits, to: draft.node.pointee.entity, self)
            draft.node.pointee.slotCount = Int32(rows.tables[Int(draft.node.pointee.entity)].columns.count)
        }
        targets.requested.append(draft)
        return draft
    }

    /// Adds the rules of a mapping to its node.
    private func add(_ rules: MappingRules, to draft: Draft, _ keys: KeyNaming, whenAbsent: AbsencePolicy) {
        guard !rules.rules.isEmpty else { return }
        draft.hasRules = true
        draft.reserve(rules.rules.count)
        var numbers: [Int32] = []
        numbers.reserveCapacity(rules.rules.count)
        for rule in rules.rules {
            let number = rule.add(to: draft, rules.levels, keys, whenAbsent: whenAbsent, self)
            if let number { numbers.append(number) }
        }
        draft.rules += numbers
    }

    /// Returns the entry of a rule, and the nodes at which it reads objects.
    func entry(_ make: (PlanBuilder) -> Entry) -> (entry: Entry, targets: [Draft]) {
        let outer = targets.begin()
        let entry = make(self)
        return (entry, targets.end(outer))
    }

    /// Records the mappings with which a rule reads objects.
    func enter(_ rule: Int32, in draft: Draft, targets: [Draft]) { self.targets.add(rule, in: draft, targets) }

    /// Records that the current rule applies another mapping to the object that contains the rule's keys (a flattened
    /// relationship), and not to a nested value.
    ///
    /// - Parameters:
    ///   - node: The node of the other mapping.
    ///   - isList: Whether the rule reads a list, whose only element can be the object itself.
    func flatten(by node: NodeRef, isList: Bool) { targets.flattened = (node, isList) }

    /// Records that a mapping passes its value to another mapping unchanged, as a selection by content does.
    func flatten(by node: NodeRef, from draft: Draft) { targets.link(draft, to: node) }

    private func noteEmptyMappings(_ root: NodeRef) {
        let isRootEmpty = known.first { $0.node == root }?.isEmpty == true
        if isRootEmpty { mistake(expected: "a mapping with rules", found: "a mapping without rules", isFatal: false) }
        for rule in targets.emptyRules {
            mistake(expected: "a mapping with rules", found: "a mapping without rules", rule: rule, isFatal: false)
        }
    }

    /// Returns a new node.
    func newDraft(model: ModelBox?) -> Draft {
        let node = memory.newNode()
        if let model {
            memory.keep(model)
            node.pointee.model = Borrowed(model)
        }
        let draft = Draft(node)
        drafts.append(draft)
        return draft
    }

    /// Returns the number of a rule, for messages.
    func rule(_ source: JSONKeyPath, _ destination: @escaping @Sendable () -> String) -> Int32 {
        let rule = rule(MappingSource(source), destination)
        if let issue = source.issue {
            mistake(expected: issue.expected, found: issue.found, suggestions: issue.suggestions, rule: rule)
        }
        return rule
    }

    /// Returns the number of a rule whose source has no errors.
    func rule(_ source: MappingSource, _ destination: @escaping @Sendable () -> String) -> Int32 {
        rules.append(.other(source, destination))
        return Int32(rules.count - 1)
    }

    /// Returns the number of a mapping's rule.
    func rule(_ source: MappingSource, _ rule: RuleStorage) -> Int32 {
        rules.append(Plan.Rule(rule, source))
        return Int32(rules.count - 1)
    }

    /// Adds an error in the mapping; all errors are thrown together when the plan is compiled.
    ///
    /// - Parameters:
    ///   - expected: The expected content of the mapping, such as "a rule that sets its identity".
    ///   - found: The actual content.
    ///   - suggestions: Names similar to the wrong one, best first.
    ///   - rule: The number of the rule; `nil` for an error of the whole mapping.
    ///   - isFatal: Whether decodes throw it, too; otherwise only `validate()` throws it.
    func mistake(
        expected: String, found: String, suggestions: [String] = [], rule: Int32? = nil, isFatal: Bool = true
    ) {
        let rule = rule.map { rules[Int($0)].description }
        let issue = MappingIssue.mapping(expected, found, rule: rule, suggestions: suggestions)
        if isFatal { issues.append(issue) } else { warnings.append(issue) }
    }

    /// Adds an entry at its key path.
    func place(_ entry: Entry, at path: JSONKeyPath, in draft: Draft) {
        var draft = draft
        let components = path.components
        if components.count == 1, case .key(let key) = components[0] { return draft.add(.init(entry: entry), for: key) }
        for (index, component) in components.enumerated() {
            let rest = components[(index + 1)...]
            guard case .key(let key) = component else {
                return draft.valueActions.append(.init(path: JSONKeyPath(components[index...]), entry: entry))
            }
            if rest.isEmpty { return draft.add(.init(entry: entry), for: key) }
            if case .collection? = rest.first {
                return draft.add(.init(path: JSONKeyPath(rest), entry: entry), for: key)
            }
            draft = level(key, in: draft)
        }
        draft.valueActions.append(.init(entry: entry))
    }

    private func level(_ key: String, in draft: Draft) -> Draft {
        if let level = draft.level(for: key) { return level }
        let level = newDraft(model: draft.node.pointee.model?.object)
        level.node.pointee.entity = draft.node.pointee.entity
        draft.add(.init(entry: Entry(operation: .level, child: level.node), level: level), for: key)
        return level
    }

    // MARK: Compiling the plan

    private func freeze(_ draft: Draft) {
        // A node numbers its keys with 16 bits.
        guard draft.members.count + draft.watchedKeys.count < 1 << 15 else {
            return mistake(
                expected: "rules for at most 32,767 keys of one object", found: "rules for \(draft.members.count)")
        }
        if draft.watchedKeys.isEmpty {
            let members = draft.members
            memory.fill(draft.node, members.count) { (members[$0].key, entry(for: members[$0])) }
        } else {
            let members = membersAndWatchedKeys(of: draft)
            memory.fill(draft.node, members.count) { members[$0] }
        }
        if !draft.valueActions.isEmpty { draft.node.pointee.valueEntry = kept(entry(for: draft.valueActions)) }
        if !draft.context.isEmpty { draft.node.pointee.context = keep(ContextRules(draft.context)) }
    }

    private func membersAndWatchedKeys(of draft: Draft) -> [(key: String, entry: Entry)] {
        var members = draft.members.map { (key: $0.key, entry: entry(for: $0)) }
        for key in draft.watchedKeys {
            if let index = members.firstIndex(where: { ExactText(text: $0.key) == ExactText(text: key) }) {
                members[index].entry.isWatched = true
            } else {
                members.append((key, Entry(operation: .watched, isWatched: true)))
            }
        }
        return members
    }

    private func entry(for member: Draft.Member) -> Entry {
        member.others.isEmpty ? member.entry : entry(for: member.others)
    }

    private func entry(for actions: [Draft.Action]) -> Entry {
        if actions.count == 1, actions[0].path == nil {
            var entry = actions[0].entry
            guard let level = actions[0].level else { return entry }
            complete(&entry, as: level)
            return entry
        }
        let parts = actions.map { action in
            var part = action.entry
            if let level = action.level { complete(&part, as: level) }
            return RuleList.Rule(path: action.path, entry: kept(part))
        }
        var entry = Entry(operation: .several)
        entry.isRequired = parts.contains { $0.entry.pointee.isRequired }
        entry.isClearedWhenAbsent = parts.contains { $0.entry.pointee.isClearedWhenAbsent }
        entry.rule = (parts.first { $0.entry.pointee.isRequired } ?? parts[0]).entry.pointee.rule
        entry.box = keep(RuleList(parts) as ValueBox)
        return entry
    }

    /// Completes a step of key paths with the rules below it: those affected by its absence and null, and all of them
    /// if the value is an array.
    private func complete(_ entry: inout Entry, as level: Draft) {
        let rules = leaves(of: level, prefix: [])
        let below = rules.map(\.entry.pointee)
        let required = below.first { $0.isRequired && $0.nullPolicy == .fail } ?? below.first(where: \.isRequired)
        let failing = below.first { $0.nullPolicy == .fail }
        entry.isRequired = required != nil
        entry.isClearedWhenAbsent = below.contains(where: \.isClearedWhenAbsent)
        if failing != nil { entry.nullPolicy = .fail }
        if let first = required ?? failing { entry.rule = first.rule }
        entry.box = keep(RuleList(rules) as ValueBox)
    }

    private func leaves(of draft: Draft, prefix: [JSONKeyPath.Component]) -> [RuleList.Rule] {
        func rule(_ action: Draft.Action, at prefix: [JSONKeyPath.Component]) -> RuleList.Rule {
            let path = JSONKeyPath(prefix + (action.path?.components ?? []))
            return RuleList.Rule(path: path, entry: kept(action.entry), node: draft.node)
        }
        return draft.valueActions.map { rule($0, at: prefix) }
            + draft.members.flatMap { member in
                member.actions.flatMap { action in
                    let path = prefix + [.key(member.key)]
                    return action.level.map { leaves(of: $0, prefix: path) } ?? [rule(action, at: path)]
                }
            }
    }

    /// Returns an entry with the lifetime of the plan.
    func kept(_ entry: Entry) -> EntryRef { memory.keep(entry) }
}
