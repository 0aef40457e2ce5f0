/// Where a value comes from that stands around an object, or that is looked up in it: a `MappingSource` as one mapping
/// means it.
indirect enum ContextSource: Sendable {
    /// In the object some levels further out; 0 is the object itself.
    case object(levels: Int, JSONKeyPath)
    /// In the object that holds the object, for 1, in the one that holds that one, for 2, and so on.
    case parent(Int, JSONKeyPath)
    /// The key under which the object some levels further out stands.
    case key(levels: Int)
    case root(JSONKeyPath)
    case metadata(JSONKeyPath)
    case index
    /// The first of these that is there.
    case first([ContextSource])

    /// The sources in turn.
    var alternatives: [ContextSource] {
        if case .first(let sources) = self { sources.flatMap(\.alternatives) } else { [self] }
    }
}

extension PlanBuilder {
    /// What a source means for a mapping with certain levels of keys; the plan keeps the context of its objects from now on.
    ///
    /// - Parameter rule: whose mistakes those in the source are.
    func context(_ source: MappingSource, _ levels: PlaceholderLevels = PlaceholderLevels(), rule: Int32)
        -> ContextSource
    {
        let source = resolved(source, levels, rule)
        keepContext(for: source)
        return source
    }

    /// Puts an entry where its source leads: into the trie, or among the rules for what stands around the object.
    func place(_ entry: Entry, from source: MappingSource, _ levels: PlaceholderLevels, in draft: Draft) {
        switch resolved(source, levels, entry.rule) {
        case .object(levels: 0, let path): place(entry, at: path, in: draft)
        case let source:
            keepContext(for: source)
            draft.context.append(.init(source: source, entry: kept(entry)))
        }
    }

    /// Notes the mistakes of a source from which nothing is read.
    func check(_ source: MappingSource, _ levels: PlaceholderLevels, _ rule: Int32) {
        _ = resolved(source, levels, rule)
    }

    private func keepContext(for source: ContextSource) {
        keepsContext = true
        readsRoot = readsRoot || source.alternatives.contains { if case .root = $0 { true } else { false } }
    }

    private func resolved(_ source: MappingSource, _ levels: PlaceholderLevels, _ rule: Int32) -> ContextSource {
        levels.resolved(source) { issue in
            mistake(expected: issue.expected, found: issue.found, suggestions: issue.suggestions, rule: rule)
        }
    }
}
