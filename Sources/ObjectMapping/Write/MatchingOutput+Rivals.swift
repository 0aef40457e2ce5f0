/// Finds cases that cannot be distinguished when writing.
extension MatchingOutput {
    /// A later case that can write the same models as another.
    struct Rival {
        let index: Int
        /// Whether the mapping writes the labels of both cases, which the model does not contain.
        let isLabelled: Bool
        /// The key paths of values that only the later case writes.
        let omitted: [[String]]
    }

    /// Returns the later cases that can write models that a case accepts by their type.
    func rivals(ofCaseAt index: Int, _ builder: OutputBuilder) -> [Rival] {
        let match = cases[index]
        guard match.output.type != nil else { return [] }
        return cases.indices[(index + 1)...].compactMap { later in
            let other = cases[later]
            guard match.output.covers(other.output.type ?? Model.self), !isAlias(other, of: match) else { return nil }
            let isLabelled = areLabelled(match, other, builder)
            let prefix = if case .wrapper(let key) = other.condition { [key] } else { [String]() }
            let omitted =
                match.output.mapping == other.output.mapping
                ? [] : builder.paths(in: other.output.node, omittedBy: match.output.node).map { prefix + $0 }
            return isLabelled || !omitted.isEmpty
                ? Rival(index: later, isLabelled: isLabelled && other.output.type != nil, omitted: omitted) : nil
        }
    }

    /// Returns the errors of cases that are never used for writing, and of cases whose output an earlier case reads.
    func mistakes(_ builder: OutputBuilder) -> [MappingIssue] {
        cases.indices.compactMap { index in
            let match = cases[index]
            // A condition that occurs twice is another error.
            let isDuplicate = cases[..<index].contains { isRepeated($0.condition, by: match) }
            guard match.output.type != nil, !isDuplicate else { return nil }
            if let earlier = cases[..<index].first(where: { hides($0, match, builder) }) {
                return .mapping(
                    "cases of \(Model.self) that can be distinguished when writing: by a rule that writes the value "
                        + "of the case, or by `values:` (`values: { _ in nil }` excludes a case)",
                    "\(match.name), whose models are all written by \(earlier.name)")
            }
            let reader = cases[..<index].first {
                $0.output.mapping != match.output.mapping && isMet($0.condition, by: match, builder) == true
            }
            return reader.map { reader in
                .mapping(
                    "cases of \(Model.self) that read what they write; order them from the most specific condition "
                        + "to the most general one",
                    "\(match.name), whose output is read by \(reader.name)")
            }
        }
    }

    /// Whether a case writes all models that a later one could.
    private func hides(_ match: Case, _ later: Case, _ builder: OutputBuilder) -> Bool {
        guard let type = later.output.type, match.output.covers(type), !isAlias(later, of: match),
            isMet(match.condition, by: match, builder) == true
        else { return false }
        return match.output.mapping != later.output.mapping || areLabelled(match, later, builder)
    }

    /// Whether the mapping writes different labels of two cases at the same place.
    ///
    /// Models of a shared mapping with other labels, such as a value and a wrapper, were read from two forms of the same
    /// object.
    private func areLabelled(_ match: Case, _ later: Case, _ builder: OutputBuilder) -> Bool {
        guard let one = label(of: match, builder), let other = label(of: later, builder) else { return false }
        if match.output.mapping != later.output.mapping { return true }
        return switch (match.condition, later.condition) {
        case (.wrapper, .wrapper): true
        case (.value, .value): one == other
        default: false
        }
    }

    private func isRepeated(_ condition: MatchCondition<Model>, by match: Case) -> Bool {
        switch (condition, match.condition) {
        case (.value(let source, let value), .value(let own, let ownValue)): source == own && value == ownValue
        case (.kind(let source, let kind), .kind(let own, let ownKind)): source == own && kind == ownKind
        case (.wrapper(let key), .wrapper(let own)): key == own
        default: false
        }
    }

    /// Whether two values of one table have the same mapping: the first one is written.
    private func isAlias(_ later: Case, of match: Case) -> Bool {
        match.table == later.table && match.output.mapping == later.output.mapping
    }

    /// Returns the path of a value that the mapping adds to the output of a case, or the key in which it is wrapped;
    /// `nil` if the condition depends on the model.
    private func label(of match: Case, _ builder: OutputBuilder) -> [String]? {
        switch match.condition {
        case .wrapper(let key): [key]
        case .value(let source, _):
            source.plainPath.flatMap { $0.isEmpty || builder.writes($0[...], in: match.output.node) ? nil : $0 }
        case .kind, .predicate, .choice, .always: nil
        }
    }

    /// Whether all output of a case meets a condition; `nil` if that depends on the model.
    private func isMet(_ condition: MatchCondition<Model>, by match: Case, _ builder: OutputBuilder) -> Bool? {
        switch condition {
        case .always: return true
        // The value around an object is not written with the object.
        case .value(let source, let value) where source.isAround:
            guard case .value(source, let own) = match.condition else { return nil }
            return own == value
        case .kind(let source, let kind) where source.isAround:
            guard case .kind(source, let own) = match.condition else { return nil }
            return own == kind
        case .wrapper(let key):
            if case .wrapper(let own) = match.condition { return own == key }
            return label(of: match, builder)?.first == key || kind(at: [key], of: match, builder) != nil ? true : nil
        case .value(let source, let value):
            guard case .value(source, let own) = match.condition, label(of: match, builder) != nil else { return nil }
            return own == value
        case .kind(let source, let kind):
            guard let path = source.plainPath, let found = self.kind(at: path, of: match, builder) else { return nil }
            return found == kind
        case .predicate, .choice: return nil
        }
    }

    /// Returns the kind of the value at a path in all output of a case; `nil` if it can vary or be omitted.
    private func kind(at path: [String], of match: Case, _ builder: OutputBuilder) -> JSONKind? {
        switch match.condition {
        case .wrapper(let key):
            guard let first = path.first else { return .object }
            return first == key ? match.output.kind(path.dropFirst(), builder) : nil
        case .value(let source, let value):
            if let label = label(of: match, builder) {
                if source.plainPath == path { return JSONKind(of: value.json) }
                if label.starts(with: path) { return .object }
            }
        case .kind, .predicate, .choice, .always: break
        }
        return match.output.kind(path[...], builder)
    }
}

extension MappingSource {
    /// The keys of a plain key path.
    fileprivate var plainPath: [String]? { if case .path(let path) = kind { path.plainKeys } else { nil } }
}

extension MatchCondition {
    /// The condition in messages.
    var name: String {
        switch self {
        case .value(let source, let value): "'\(source)' is \(value.name)"
        case .kind(let source, let kind): "'\(source)' is \(kind.name)"
        case .wrapper(let key): "wrapped in '\(key)'"
        case .predicate, .choice: "a closure"
        case .always: "Otherwise"
        }
    }
}

extension OutputBuilder {
    /// Returns the kind of the value that rules always write at a path; `nil` if it can vary or be omitted.
    func kind(at keys: ArraySlice<String>, in node: Ref<OutputNode>?) -> JSONKind? {
        guard let node else { return nil }
        guard let key = keys.first else { return .object }
        for action in actions(of: node) {
            switch action.key {
            case .text(let text) where text.text == key:
                if let level = action.level {
                    // A level without members is omitted.
                    let inner = keys.dropFirst()
                    if !inner.isEmpty { return kind(at: inner, in: level.node) }
                    return isAlwaysWritten(level) ? .object : nil
                }
                let kind = action.entry.box?.object.kind
                guard keys.count > 1 else { return kind }
                return kind == .object ? self.kind(at: keys.dropFirst(), in: action.entry.box?.object.node) : nil
            case .none where action.entry.box?.object.kind == .object:
                if let kind = kind(at: keys, in: action.entry.box?.object.node) { return kind }
            case .text, .none, .placeholder: continue
            }
        }
        return nil
    }

    private func isAlwaysWritten(_ level: Draft) -> Bool {
        level.actions.contains { action in
            action.level.map(isAlwaysWritten) ?? (action.entry.box?.object.kind != nil)
        }
    }

    /// Returns the key paths at which a node writes properties that another one does not write.
    func paths(in node: Ref<OutputNode>?, omittedBy other: Ref<OutputNode>?) -> [[String]] {
        guard let node, let other else { return [] }
        return paths(in: node, without: properties(of: other), depth: 0).filter { path in
            // Properties of a subclass have other key paths than those of its superclass.
            actions(of: node).isOfOneType(with: actions(of: other)) || !writes(path[...], in: other)
        }
    }

    private func properties(of node: Ref<OutputNode>) -> Set<AnyKeyPath> {
        actions(of: node).reduce(into: []) { properties, action in
            if let level = action.level { properties.formUnion(self.properties(of: level.node)) }
            if let keyPath = action.keyPath { properties.insert(keyPath) }
        }
    }

    private func paths(in node: Ref<OutputNode>, without known: Set<AnyKeyPath>, depth: Int) -> [[String]] {
        actions(of: node).flatMap { action -> [[String]] in
            let key: [String] = if case .text(let text) = action.key { [text.text] } else { [] }
            if let level = action.level {
                let inner = paths(in: level.node, without: known, depth: depth)
                if case .placeholder = action.key { return inner.isEmpty ? [] : [[]] }
                return inner.map { key + $0 }
            }
            if let keyPath = action.keyPath, known.contains(keyPath) { return [] }
            guard key.isEmpty, depth < 8, let inner = action.entry.box?.object.node else { return [key] }
            return paths(in: inner, without: [], depth: depth + 1)
        }
    }
}

extension [OutputBuilder.Draft.Action] {
    /// Whether the properties belong to one type.
    fileprivate func isOfOneType(with others: Self) -> Bool {
        func root(_ actions: Self) -> Any.Type? {
            actions.lazy.compactMap { action in
                if let keyPath = action.keyPath { return type(of: keyPath).rootType }
                return action.level.flatMap { root($0.actions) }
            }.first
        }
        guard let one = root(self), let other = root(others) else { return true }
        return one == other
    }
}
