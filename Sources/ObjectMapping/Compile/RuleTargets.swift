/// The mappings with which the rules of a plan read objects.
struct RuleTargets {
    typealias Draft = PlanBuilder.Draft

    /// The nodes that were requested since the start of a rule's entry.
    var requested: [Draft] = []
    /// The mapping that the rule applies to the object containing the rule's keys; `nil` for nested values.
    var flattened: (node: NodeRef, isList: Bool)?
    private var rules: [(rule: Int32, drafts: [Draft])] = []
    /// All rules and mappings that apply another mapping to the same object.
    private var flattenings: [Flattening] = []

    private struct Flattening {
        /// `nil` for a case of a mapping that selects by content.
        let rule: Int32?
        let from: Draft
        let to: NodeRef
        let isList: Bool
    }

    /// Begins a rule; the result is passed to `end`.
    mutating func begin() -> [Draft] {
        let outer = requested
        (requested, flattened) = ([], nil)
        return outer
    }

    /// Ends a rule; returns the nodes that it requested.
    mutating func end(_ outer: [Draft]) -> [Draft] {
        defer { requested = outer }
        return requested
    }

    mutating func add(_ rule: Int32, in draft: Draft, _ drafts: [Draft]) {
        if !drafts.isEmpty { rules.append((rule, drafts)) }
        if let flattened {
            flattenings.append(Flattening(rule: rule, from: draft, to: flattened.node, isList: flattened.isList))
        }
        flattened = nil
    }

    /// Records that a mapping passes its value to another mapping unchanged.
    mutating func link(_ draft: Draft, to node: NodeRef) {
        flattenings.append(Flattening(rule: nil, from: draft, to: node, isList: false))
    }

    /// Rules that read with a mapping without rules.
    var emptyRules: [Int32] { rules.filter { $0.drafts.contains(where: \.isEmpty) }.map(\.rule) }

    /// Rules through which mappings contain themselves without a payload level in between.
    ///
    /// Each array of a list of lists is a level. If the mapping has data keys, an object in place of a list is also accepted
    /// as the only element; then the list is not a level.
    var recursiveRules: [Int32] {
        flattenings.compactMap { flattening in
            let readsObjects = !flattening.from.members.isEmpty
            guard readsObjects || !flattening.isList else { return nil }
            let edges = flattenings.filter { readsObjects || !$0.isList }
            var seen: Set = [flattening.to]
            var next = [flattening.to]
            while let node = next.popLast(), !seen.contains(flattening.from.node) {
                next += edges.filter { $0.from.node == node && seen.insert($0.to).inserted }.map(\.to)
            }
            return seen.contains(flattening.from.node) ? flattening.rule : nil
        }
    }
}
