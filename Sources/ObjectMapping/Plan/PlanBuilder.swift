/// Turns rules into a plan: merges their key paths into one trie a position and resolves relationships, cycles included.
final class PlanBuilder {
    /// One position of the trie while rules are added.
    final class Draft {
        /// What is done with a member's value, in the order of the rules.
        struct Action {
            /// What is left of the key path, beginning with an operator; nil if nothing is.
            var path: JSONKeyPath?
            var entry: Entry
            /// The position below, if the action is only a step of longer key paths.
            var level: Draft?
        }

        let node: UnsafeMutablePointer<Node>
        private(set) var keys: [String] = []
        /// For each of the keys.
        private(set) var actions: [[Action]] = []
        /// Those whose values may be taken before an object is read to its end.
        var watchedKeys: [String] = []
        /// Whether the mapping has rules, of whatever sort.
        var hasRules = false
        var isEmpty: Bool { !hasRules && keys.isEmpty && whole.isEmpty }
        /// Where each key stands, once there are too many to look at each.
        private var positions: [ExactText: Int] = [:]
        private static var mostUnindexed: Int { 16 }
        var whole: [Action] = []
        var context: [ContextRules.Rule] = []
        /// The mapping's rules, by their numbers, in the order written.
        var rules: [Int32] = []

        init(_ node: UnsafeMutablePointer<Node>) { self.node = node }

        func add(_ action: Action, for key: String) {
            if let position = position(of: key) { return actions[position].append(action) }
            keys.append(key)
            actions.append([action])
            guard keys.count > Draft.mostUnindexed else { return }
            let first = positions.isEmpty ? 0 : keys.count - 1
            for position in first..<keys.count { positions[ExactText(text: keys[position])] = position }
        }

        func actions(for key: String) -> [Action] { position(of: key).map { actions[$0] } ?? [] }

        private func position(of key: String) -> Int? {
            keys.count > Draft.mostUnindexed
                ? positions[ExactText(text: key)]
                : keys.firstIndex { ExactText(text: $0) == ExactText(text: key) }
        }

        func level(for key: String) -> Draft? { actions(for: key).lazy.compactMap(\.level).first }
    }

    /// Mistakes in the mapping, found while it is compiled.
    private var issues: [MappingIssue] = []
    /// Mistakes with which decodes run all the same.
    private(set) var doubts: [MappingIssue] = []
    private var nodes: [UnsafeMutablePointer<Node>] = []
    private var entries: [UnsafeMutablePointer<Entry>] = []
    private var models = IdentityList<ModelBox>()
    private var boxes: [AnyObject] = []
    /// Mappings whose identity stands in `known`: one that went would leave its address to the next.
    private var mappings: [AnyObject] = []
    private var rules: [Plan.Rule] = []
    private var drafts: [Draft] = []
    private var known = IdentityList<Draft>()
    /// The boxes of mappings that choose by content.
    var matching = IdentityList<ObjectBox>()
    /// The positions that were asked for since a rule began to make its entry.
    private var requested: [Draft] = []
    /// For rules that read objects: by which mappings.
    private var targets: [(rule: Int32, drafts: [Draft])] = []
    /// For rules that read an object out of the keys of the one that they stand in: from which mapping to which one.
    private var flattenings: [(rule: Int32, from: UnsafeMutablePointer<Node>, to: UnsafeMutablePointer<Node>)] = []
    /// The mapping by which the rule that is being made does so.
    private var flattened: UnsafeMutablePointer<Node>?
    /// How many mappings lead to the one that is being compiled.
    private var nesting = 0
    private static var deepestNesting: Int { 200 }
    /// Whether mappings lead to ever further ones.
    private var isEndless = false
    /// Whether rules want to know what stands around an object.
    var keepsContext = false
    /// Whether some of them want the whole payload.
    var readsRoot = false
    /// What the sources of those rules look up.
    var contextPaths = ContextPaths()
    /// Whether the plan tells a trace what it does.
    let isTraced: Bool

    /// What the plan has to do with sessions.
    var registration: RegistrationDraft

    /// - Parameters:
    ///   - isTraced: Whether the plan is one for explanations.
    ///   - isRegistering: Whether it makes models known to a session.
    init(isTraced: Bool = false, isRegistering: Bool = false) {
        self.isTraced = isTraced
        registration = RegistrationDraft(isWanted: isRegistering)
    }

    /// The plan, unless there were mistakes.
    func plan(root: UnsafeMutablePointer<Node>) throws(MappingError) -> Plan {
        if keepsContext, !isTraced { known.values.forEach { contextPaths.watchKeys(in: $0) } }
        for draft in drafts { freeze(draft) }
        for node in nodes { node.pointee.setFlags(keepsContext: keepsContext) }
        let plan = Plan(
            root: root, nodes: nodes, entries: entries, models: models, boxes: boxes, rules: rules,
            outlines: drafts.map(\.rules), keepsContext: keepsContext, readsRoot: readsRoot,
            contextKeys: contextPaths.keys, contextPathCount: contextPaths.count)
        if isEndless {
            mistake(
                expected: "mappings that come to an end",
                found: "one that is made of itself, or anew at each use; keep it in a constant")
        }
        if !isEndless {
            noteEmptyMappings(root)
            noteEndlessFlattenings()
        }
        guard issues.isEmpty else { throw MappingError(issues + doubts + plan.repeatedDestinations) }
        return plan
    }

    // MARK: What rules ask for

    /// Has the reader of a node's objects notice that a key comes twice; whether it will.
    func watch(_ key: String, in node: UnsafeMutablePointer<Node>) -> Bool {
        guard !isTraced, let draft = known.values.first(where: { $0.node == node }) else { return false }
        draft.watchedKeys.append(key)
        return true
    }

    /// The position at which the objects of a mapping are read; made once for each identity, so that cycles end.
    func draft(for identity: ObjectIdentifier, model: ModelBox?, add: (Draft) -> Void) -> Draft {
        if let draft = known[identity] {
            requested.append(draft)
            return draft
        }
        let draft = newDraft(model: model)
        known[identity] = draft
        nested { add(draft) }
        requested.append(draft)
        return draft
    }

    /// The entry of a rule, and the positions at which it reads objects.
    func entry(_ make: (PlanBuilder) -> Entry) -> (entry: Entry, targets: [Draft]) {
        let outer = requested
        (requested, flattened) = ([], nil)
        defer { requested = outer }
        let entry = make(self)
        return (entry, requested)
    }

    /// Says that a rule stands in a mapping and by which ones it reads objects.
    func enter(_ rule: Int32, in draft: Draft, targets: [Draft]) {
        draft.rules.append(rule)
        if !targets.isEmpty { self.targets.append((rule, targets)) }
        if let flattened { flattenings.append((rule, draft.node, flattened)) }
        flattened = nil
    }

    /// Says that the rule being made reads one object out of the keys of the object that it stands in.
    func flatten(by node: UnsafeMutablePointer<Node>) { flattened = node }

    /// Notes objects that are made of the keys of an object which is made of them itself.
    private func noteEndlessFlattenings() {
        for flattening in flattenings {
            var seen: Set = [flattening.to]
            var next = [flattening.to]
            while let node = next.popLast(), !seen.contains(flattening.from) {
                next += flattenings.filter { $0.from == node && seen.insert($0.to).inserted }.map(\.to)
            }
            guard seen.contains(flattening.from) else { continue }
            mistake(
                expected: "a mapping that comes to an end", found: "one that reads a value by itself again and again",
                rule: flattening.rule)
        }
    }

    private func noteEmptyMappings(_ root: UnsafeMutablePointer<Node>) {
        let isRootEmpty = known.values.contains { $0.node == root && $0.isEmpty }
        if isRootEmpty { mistake(expected: "a mapping with rules", found: "one without", isFatal: false) }
        for (rule, drafts) in targets where drafts.contains(where: \.isEmpty) {
            mistake(expected: "a mapping with rules", found: "one without", rule: rule, isFatal: false)
        }
    }

    /// Does what may lead to further mappings; nothing once that has gone too deep ever to end.
    func nested(_ body: () -> Void) {
        isEndless = isEndless || nesting == PlanBuilder.deepestNesting
        if isEndless { return }
        nesting += 1
        body()
        nesting -= 1
    }

    /// Keeps a mapping alive until the plan is made.
    func hold(_ mapping: AnyObject) { mappings.append(mapping) }

    /// A position of its own.
    func newDraft(model: ModelBox?) -> Draft {
        let node = Node.empty(id: nodes.count)
        nodes.append(node)
        if let model {
            models[ObjectIdentifier(model)] = model
            node.pointee.model = Unmanaged.passUnretained(model)
        }
        let draft = Draft(node)
        drafts.append(draft)
        return draft
    }

    /// Keeps an object alive as long as the plan.
    func keep<Object: AnyObject>(_ object: Object) -> Unmanaged<Object> {
        boxes.append(object)
        return Unmanaged.passUnretained(object)
    }

    /// The number of a rule, for messages.
    func rule(_ source: JSONKeyPath, _ destination: @escaping @Sendable () -> String) -> Int32 {
        let rule = rule(named: source.description, destination)
        if let issue = source.issue {
            mistake(expected: issue.expected, found: issue.found, suggestions: issue.suggestions, rule: rule)
        }
        return rule
    }

    /// The number of a rule whose source is no key path.
    func rule(named source: String, _ destination: @escaping @Sendable () -> String) -> Int32 {
        rules.append(Plan.Rule(source: source, destination: destination))
        return Int32(rules.count - 1)
    }

    /// Notes a mistake in the mapping: all of them are thrown together when the plan is made.
    ///
    /// - Parameters:
    ///   - expected: What the mapping should hold, as "a rule that sets its identity".
    ///   - found: What it holds instead.
    ///   - suggestions: Names near the wrong one, best first.
    ///   - rule: The rule's number; nil for a mistake that is no single rule's.
    ///   - isFatal: Whether decodes throw it, too; otherwise they run, and only `validate()` throws it.
    func mistake(
        expected: String, found: String, suggestions: [String] = [], rule: Int32? = nil, isFatal: Bool = true
    ) {
        let issue = MappingIssue(
            kind: .mapping, path: "$", rule: rule.map { rules[Int($0)].description }, expected: expected, found: found,
            suggestions: suggestions)
        if isFatal { issues.append(issue) } else { doubts.append(issue) }
    }

    /// Puts an entry where its key path leads.
    func place(_ entry: Entry, at path: JSONKeyPath, in draft: Draft) {
        var draft = draft
        let components = path.components
        for (index, component) in components.enumerated() {
            let rest = components[(index + 1)...]
            guard case .key(let key) = component else {
                return draft.whole.append(.init(path: JSONKeyPath(components[index...]), entry: entry))
            }
            if rest.isEmpty { return draft.add(.init(entry: entry), for: key) }
            if case .collection? = rest.first {
                return draft.add(.init(path: JSONKeyPath(rest), entry: entry), for: key)
            }
            draft = level(key, in: draft)
        }
        draft.whole.append(.init(entry: entry))
    }

    private func level(_ key: String, in draft: Draft) -> Draft {
        if let level = draft.level(for: key) { return level }
        let level = newDraft(model: draft.node.pointee.model?.takeUnretainedValue())
        level.node.pointee.entity = draft.node.pointee.entity
        draft.add(.init(entry: Entry(operation: .level, child: level.node), level: level), for: key)
        return level
    }

    // MARK: Freezing

    private func freeze(_ draft: Draft) {
        // A node numbers its keys in 16 bits.
        guard draft.keys.count + draft.watchedKeys.count < 1 << 15 else {
            return mistake(
                expected: "rules for at most 32,767 keys of one object", found: "rules for \(draft.keys.count)")
        }
        draft.node.pointee.fill(members(of: draft))
        if !draft.whole.isEmpty {
            draft.node.pointee.whole = kept(entry(for: draft.whole, in: draft))
        }
        if !draft.context.isEmpty { draft.node.pointee.context = keep(ContextRules(draft.context)) }
    }

    private func members(of draft: Draft) -> [(key: String, entry: Entry)] {
        var members = zip(draft.keys, draft.actions).map { (key: $0, entry: entry(for: $1, in: draft)) }
        for key in draft.watchedKeys {
            if let index = members.firstIndex(where: { ExactText(text: $0.key) == ExactText(text: key) }) {
                members[index].entry.isWatched = true
            } else {
                members.append((key, Entry(operation: .watched, isWatched: true)))
            }
        }
        return members
    }

    private func entry(for actions: [Draft.Action], in draft: Draft) -> Entry {
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

    /// What a step of key paths needs to know of the rules below it: to whom its absence and null matter, and all of
    /// them, for the case that the value is an array.
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
        let own = draft.whole.map { action in
            RuleList.Rule(
                path: JSONKeyPath(prefix + (action.path?.components ?? [])), entry: kept(action.entry), node: draft.node
            )
        }
        return own
            + zip(draft.keys, draft.actions).flatMap { key, actions in
                actions.flatMap { action -> [RuleList.Rule] in
                    let path = prefix + [.key(key)]
                    if let level = action.level { return leaves(of: level, prefix: path) }
                    return [
                        RuleList.Rule(
                            path: JSONKeyPath(path + (action.path?.components ?? [])), entry: kept(action.entry),
                            node: draft.node)
                    ]
                }
            }
    }

    /// An entry that lives as long as the plan.
    func kept(_ entry: Entry) -> UnsafeMutablePointer<Entry> {
        let pointer = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
        pointer.initialize(to: entry)
        entries.append(pointer)
        return pointer
    }
}
