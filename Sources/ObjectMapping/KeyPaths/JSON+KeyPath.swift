extension JSON {
    /// The value that a key path leads to.
    ///
    /// ```swift
    /// try json.value(at: "transactions.@avg.amount")
    /// try json.value(at: "transactions.@distinctUnionOfObjects.payee")
    /// ```
    ///
    /// - A key leads from an object to its member. Over an array it gives the array of its elements' members, with
    ///   null for those that lack it; when all lack it, nothing is found. Null leads to null; other values lead nowhere.
    /// - An operator takes the elements of the array before it, follows the rest of the path from each, and computes
    ///   one value of what it finds: see `CollectionOperator`. Over null it is null.
    ///
    /// - Returns: nil if the path leads nowhere.
    /// - Throws: `.mapping` if the path is no path; `.typeMismatch` if an operator meets values of a wrong kind.
    public func value(at path: JSONKeyPath) throws(MappingError) -> JSON? {
        if let issue = path.issue { throw MappingError(issue) }
        do {
            return try value(at: path.components[...])
        } catch {
            throw MappingError(
                MappingIssue(
                    kind: .typeMismatch, path: error.path.text, rule: path.description, expected: error.expected,
                    found: error.found))
        }
    }

    /// The value that a key path leads to; as `value(at:)` with a path in text.
    public func value(at path: String) throws(MappingError) -> JSON? {
        try value(at: JSONKeyPath(path))
    }

    func value(at path: ArraySlice<JSONKeyPath.Component>) throws(OperatorMismatch) -> JSON? {
        var value = self
        /// Where on the way the outermost array is.
        var outermostArray: Int?
        for (index, component) in zip(path.indices, path) {
            switch component {
            case .key(let key):
                if outermostArray == nil, value.array != nil { outermostArray = index }
                guard let next = value.member(key) else { return nil }
                value = next
            case .collection(let collection):
                do {
                    return try value.applying(collection, to: path[(index + 1)...])
                } catch {
                    let keys = path[..<index].compactMap { $0.key.map { JSONPathStep.key($0) } }
                    throw error.inside(keys, elementAfter: (outermostArray ?? index) - path.startIndex)
                }
            }
        }
        guard value.exists else { return nil }
        return value
    }

    /// The member of an object or of each element of an array; nil if there is none.
    @inline(__always) private func member(_ key: String) -> JSON? {
        if case .object(let object) = storage { return object[key] }
        return memberOfOther(key)
    }

    private func memberOfOther(_ key: String) -> JSON? {
        switch content {
        case .null: return .null
        case .object(let object): return object[key]
        case .array(let elements):
            let members = elements.map { $0.member(key) }
            if !members.isEmpty, members.allSatisfy({ $0 == nil }) { return nil }
            return JSON(.array(members.map { $0 ?? .null }))
        default: return nil
        }
    }

    private func applying(
        _ collection: CollectionOperator, to path: ArraySlice<JSONKeyPath.Component>
    ) throws(OperatorMismatch) -> JSON? {
        switch content {
        case .null: return .null
        case .object(let object) where collection == .count: return .integer(object.count)
        case .array(let elements) where collection == .count: return .integer(elements.count)
        case .array(let elements):
            var fold = CollectionFold(collection, capacity: elements.count)
            let keys = path.compactMap(\.key)
            let onlyKey = path.count == 1 ? keys.first : nil
            for index in elements.indices {
                let leaf: JSON?
                do {
                    // Without a copy of the element: counting references would cost more than the rest.
                    if let onlyKey {
                        leaf = elements[index].member(onlyKey)
                    } else if keys.count == path.count {
                        leaf = elements[index].member(keys)
                    } else {
                        leaf = try elements[index].value(at: path)
                    }
                } catch {
                    throw error.inElement(at: index)
                }
                guard let leaf, leaf.isPresent else { continue }
                do {
                    try fold.add(leaf, at: index)
                } catch {
                    throw error.at(path)
                }
            }
            return fold.value(over: elements.count)
        default: return nil
        }
    }

    /// The value that keys lead to.
    private func member(_ keys: [String]) -> JSON? {
        var value = self
        for key in keys {
            guard let next = value.member(key) else { return nil }
            value = next
        }
        return value
    }
}

/// A value that an operator cannot use.
struct OperatorMismatch: Error {
    var path: [JSONPathStep]
    let expected: String
    let found: String

    /// The leaf of the element at an index.
    init(at index: Int, expected: String, found: String) {
        path = [.index(index)]
        self.expected = expected
        self.found = found
    }

    /// Adds the steps that lead from an element to its leaf.
    func at(_ leaf: ArraySlice<JSONKeyPath.Component>) -> OperatorMismatch {
        var copy = self
        for case .key(let key) in leaf.prefix(while: { if case .key = $0 { true } else { false } }) {
            copy.path.append(.key(key))
        }
        return copy
    }

    /// Adds the step that leads to what was looked at.
    func inside(_ step: JSONPathStep?) -> OperatorMismatch {
        var copy = self
        copy.path = [step].compactMap(\.self) + path
        return copy
    }

    /// Adds the index of the element in which another operator met the value.
    func inElement(at index: Int) -> OperatorMismatch {
        var copy = self
        copy.path.insert(.index(index), at: 0)
        return copy
    }

    /// Adds the steps that lead to the element; its index stands after the first few of them.
    func inside(_ steps: [JSONPathStep], elementAfter position: Int) -> OperatorMismatch {
        var copy = self
        copy.path = Array(steps[..<position] + path.prefix(1) + steps[position...] + path.dropFirst())
        return copy
    }
}
