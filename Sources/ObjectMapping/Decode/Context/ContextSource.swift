/// Where a value comes from that stands around an object, or that is looked up in it: a `MappingSource` as one mapping
/// means it.
enum ContextSource: Sendable {
    /// In the object some levels further out; 0 is the object itself.
    case object(levels: Int, ContextPath)
    /// In the object that holds the object, for 1, in the one that holds that one, for 2, and so on.
    case parent(Int, ContextPath)
    /// The key under which the object some levels further out stands.
    case key(levels: Int)
    case root(ContextPath)
    case metadata(ContextPath)
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
    func context(
        _ source: MappingSource, _ levels: PlaceholderLevels = PlaceholderLevels(), rule: Int32
    ) -> ContextSource {
        kept(resolved(source, levels, rule))
    }

    /// Puts an entry where its source leads: into the trie, or among the rules for what is around the object.
    @discardableResult func place(
        _ entry: Entry, from source: MappingSource, _ levels: PlaceholderLevels, in draft: Draft
    ) -> IdentityPlan.Source? {
        // Most rules read a member of the object itself: nothing is allocated to find that out.
        if levels.count == 0, case .path(let path) = source.kind, path.isValid {
            place(entry, at: path, in: draft)
            return .member(path)
        }
        switch resolved(source, levels, entry.rule) {
        case .object(levels: 0, let path):
            place(entry, at: path.path, in: draft)
            return .member(path.path)
        case let source:
            let rule = ContextRules.Rule(kept(source), kept(entry))
            draft.context.append(rule)
            return .context(rule)
        }
    }

    /// Notes the mistakes of a source from which nothing is read.
    func check(_ source: MappingSource, _ levels: PlaceholderLevels, _ rule: Int32) {
        _ = resolved(source, levels, rule)
    }

    /// Keeps the context of objects for a source, whose paths get their numbers.
    private func kept(_ source: ContextSource) -> ContextSource {
        contextPaths.isNeeded = true
        switch source {
        case .object(let levels, let path): return .object(levels: levels, contextPaths.add(path.path, self))
        case .parent(let number, let path): return .parent(number, contextPaths.add(path.path, self))
        case .root(let path):
            contextPaths.readsRoot = true
            return .root(contextPaths.add(path.path, self))
        case .metadata(let path): return .metadata(contextPaths.add(path.path, self))
        case .key, .index: return source
        case .first(let sources): return .first(sources.map(kept))
        }
    }

    private func resolved(_ source: MappingSource, _ levels: PlaceholderLevels, _ rule: Int32) -> ContextSource {
        levels.resolved(source) { issue in
            mistake(expected: issue.expected, found: issue.found, suggestions: issue.suggestions, rule: rule)
        }
    }
}

/// The paths of a plan's sources around objects.
struct ContextPaths {
    /// Whether rules use what is around an object.
    var isNeeded = false
    /// Whether some of them use the whole payload.
    var readsRoot = false
    private(set) var count = 0
    /// The numbers of their first keys, as the offsets of entries.
    private(set) var keys: NodeRef?
    private var draft: PlanBuilder.Draft?

    fileprivate mutating func add(_ path: JSONKeyPath, _ builder: PlanBuilder) -> ContextPath {
        count += 1
        return ContextPath(
            path, number: count - 1, firstKey: path.components.first?.key.map { number(of: $0, builder) })
    }

    /// Has the keys watched in the objects of a mapping.
    func watchKeys(in draft: PlanBuilder.Draft) {
        guard let members = self.draft?.members, !draft.isEmpty else { return }
        draft.watchedKeys += members.map(\.key)
        draft.node.pointee.watchesContextKeys = true
    }

    private mutating func number(of key: String, _ builder: PlanBuilder) -> Int {
        let draft = draft ?? builder.newDraft(model: nil)
        (self.draft, keys) = (draft, draft.node)
        if let known = draft.actions(for: key).first { return known.entry.offset }
        let number = draft.members.count
        draft.add(.init(entry: Entry(operation: .value, offset: number)), for: key)
        return number
    }
}

/// The key path of a source in an object around the one that is read.
final class ContextPath: Sendable {
    let path: JSONKeyPath
    /// Its number among those of the plan, for what is computed once.
    let number: Int
    /// The number of its first key among the first keys of the plan's paths; nil for an operator, and for none.
    let firstKey: Int?

    init(_ path: JSONKeyPath, number: Int = -1, firstKey: Int? = nil) {
        self.path = path
        self.number = number
        self.firstKey = firstKey
    }
}
