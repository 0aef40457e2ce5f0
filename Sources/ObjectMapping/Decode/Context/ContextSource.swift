/// The location of a value around an object or inside it: a `MappingSource`, resolved for one mapping.
enum ContextSource: Sendable {
    /// In the object a number of levels further out; 0 is the object itself.
    case object(levels: Int, ContextPath)
    /// In the parent object (1), its parent (2) and so on.
    case parent(Int, ContextPath)
    /// The key of the object a number of levels further out.
    case key(levels: Int)
    case root(ContextPath)
    case metadata(ContextPath)
    case index
    /// The first of these sources with a value.
    case first([ContextSource])

    /// The sources in order.
    var alternatives: [ContextSource] {
        if case .first(let sources) = self { sources.flatMap(\.alternatives) } else { [self] }
    }

    /// Reports a key path in the object itself, which is at an offset.
    ///
    /// - Parameter isRead: Whether the value at the path is used. Defaults to `false`.
    func report(to trace: Trace, _ offset: Int, isRead: Bool = false) {
        guard case .object(levels: 0, let path) = self, path.path.components.first?.key != nil else { return }
        trace.lookUp(path.path.leadingKeys, at: offset, isRead: isRead)
    }
}

extension PlanBuilder {
    /// Resolves a source for a mapping with data keys; the plan then records the context of its objects.
    ///
    /// - Parameter rule: The rule that is named in issues of the source.
    func context(
        _ source: MappingSource, _ levels: PlaceholderLevels = PlaceholderLevels(), rule: Int32
    ) -> ContextSource {
        kept(resolved(source, levels, rule))
    }

    /// Adds an entry for a source: to the trie, or to the rules for values around the object.
    @discardableResult func place(
        _ entry: Entry, from source: MappingSource, _ levels: PlaceholderLevels, in draft: Draft
    ) -> IdentityPlan.Source? {
        // Most rules read a member of the object itself; this check does not allocate.
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

    /// Reports errors in a source from which nothing is read.
    func check(_ source: MappingSource, _ levels: PlaceholderLevels, _ rule: Int32) {
        _ = resolved(source, levels, rule)
    }

    /// Records the context of objects for a source, and numbers its paths.
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
    /// Whether rules use values around an object.
    var isNeeded = false
    /// Whether some of them use the whole payload.
    var readsRoot = false
    private(set) var count = 0
    /// The numbers of their first keys, stored as the offsets of entries.
    private(set) var keys: NodeRef?
    private var draft: PlanBuilder.Draft?

    fileprivate mutating func add(_ path: JSONKeyPath, _ builder: PlanBuilder) -> ContextPath {
        count += 1
        return ContextPath(
            path, number: count - 1, firstKey: path.components.first?.key.map { number(of: $0, builder) })
    }

    /// Watches the keys in the objects of a mapping.
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

/// The key path of a source in a surrounding object.
final class ContextPath: Sendable {
    let path: JSONKeyPath
    /// The number of the path in the plan, for values that are computed once.
    let number: Int
    /// The number of its first key among the first keys of the plan; `nil` for an operator or an empty path.
    let firstKey: Int?

    init(_ path: JSONKeyPath, number: Int = -1, firstKey: Int? = nil) {
        self.path = path
        self.number = number
        self.firstKey = firstKey
    }
}
