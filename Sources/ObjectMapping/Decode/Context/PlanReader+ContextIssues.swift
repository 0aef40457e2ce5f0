extension PlanReader {
    /// Returns the offset of a source's value in the payload; `nil` if it is not in the payload.
    ///
    /// - Parameter path: The path in the source's object. Defaults to the path of the source.
    func offset(of source: ContextSource, _ path: [JSONPathStep]? = nil) -> Int? {
        guard let context else { return nil }
        switch source {
        case .object(let levels, let keys): return context.offset(of: path ?? keys.path.steps, inObject: levels)
        case .parent(let number, let keys):
            return context.offset(of: path ?? keys.path.steps, inObject: context.levels(ofParent: number))
        case .key(let levels): return context.offset(ofKey: levels)
        case .root(let keys): return context.offset(inRoot: path ?? keys.path.steps)
        case .metadata, .index, .first: return nil
        }
    }

    /// Adds the issue of a required value that is absent at all of its sources.
    @inline(never) mutating func noteMissing(_ source: ContextSource, _ rule: Int32, _ start: Bytes) {
        let sources = source.alternatives
        let wanted = sources.map { $0.wanted(isAmongOthers: sources.count > 1) }.joined(separator: " or ")
        let suggestions = sources.flatMap { source -> [String] in
            guard let (key, object) = absent(source) else { return [] }
            return nearestNames(to: key, among: object.keys)
        }
        var issue = finding(.missing, at: start, rule, wanted, "no value")
        issue.suggestions = suggestions
        findings.append(issue)
    }

    /// Returns the first absent key of a source, and the object without it.
    private func absent(_ source: ContextSource) -> (key: String, object: JSONObject)? {
        let (outermost, path): (JSON?, JSONKeyPath) =
            switch source {
            case .object(let levels, let path): (context?.object(levels), path.path)
            case .parent(let number, let path): (context.flatMap { $0.object($0.levels(ofParent: number)) }, path.path)
            case .root(let path): (context?.root, path.path)
            case .metadata(let path): (context?.metadata, path.path)
            case .key, .index, .first: (nil, "")
            }
        var value = outermost
        for component in path.components {
            guard let key = component.key, let object = value?.object else { return nil }
            guard let member = object[key] else { return (key, object) }
            value = member
        }
        return nil
    }
}

extension ContextSource {
    /// Returns a description of the value of a source.
    fileprivate func wanted(isAmongOthers: Bool) -> String {
        switch self {
        case .object(0, let path): isAmongOthers ? "'\(path.path)'" : "a value at '\(path.path)'"
        case .object(_, let path): "'\(path.path)' in the object that contains the keys"
        case .parent(_, let path) where path.path.components.isEmpty: "an enclosing object"
        case .parent(1, let path): "'\(path.path)' in the enclosing object"
        case .parent(let number, let path): "'\(path.path)' in the object \(number) levels out"
        case .key(0): "a key of the object"
        case .key: "a key of the enclosing object"
        case .root(let path): path.path.components.isEmpty ? "the payload" : "'\(path.path)' in the payload"
        case .metadata(let path): "'\(path.path)' in the metadata"
        case .index: "an array that contains the object"
        case .first(let sources): sources.map { $0.wanted(isAmongOthers: true) }.joined(separator: " or ")
        }
    }
}

extension JSONKeyPath {
    /// The path to the value, as far as it consists of objects.
    fileprivate var steps: [JSONPathStep] { components.compactMap(\.key).map { .key($0) } }
}
