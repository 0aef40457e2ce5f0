extension JSON {
    /// Returns the value at a key path.
    ///
    /// ```swift
    /// try json.value(at: "transactions.@avg.amount")
    /// try json.value(at: "transactions.@distinctUnionOfObjects.payee")
    /// ```
    ///
    /// - A key selects a member of an object. Over an array, it selects the array of its elements' members, with null
    ///   for elements without the key; if all elements lack the key, the path is unresolved. Null selects null; other
    ///   values do not resolve.
    /// - An operator applies the rest of the path to the elements of the array before it, and computes one value from
    ///   the results: see `CollectionOperator`. Over null it is null.
    ///
    /// - Returns: `nil` if the path is unresolved.
    /// - Throws: `MappingError`: an issue of kind `mapping` if the path is invalid, or `typeMismatch` if an operator
    ///   does not support the values.
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

    /// Returns the value at a key path in text form.
    public func value(at path: String) throws(MappingError) -> JSON? { try value(at: JSONKeyPath(path)) }

    func value(at path: ArraySlice<JSONKeyPath.Component>) throws(OperatorMismatch) -> JSON? {
        var value = self
        /// The index of the outermost array in the path.
        var outermostArray: Int?
        for (index, component) in zip(path.indices, path) {
            switch component {
            case .key(let key):
                if outermostArray == nil, value.kind == .array { outermostArray = index }
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
        return value.present
    }

    /// Returns the member of an object or of each element of an array; `nil` if no object contains the key.
    private func member(_ key: String) -> JSON? {
        if let object { return object[key] }
        if let children = JSONChildren(self) { return JSON.members(key, of: children) }
        return isNull ? .null : nil
    }

    /// Returns the members of an array's elements, including nested arrays; `nil` if no element contains the key.
    private static func members(_ key: String, of elements: JSONChildren) -> JSON? {
        var open = [(elements: elements, found: [JSON](), isFound: elements.count == 0)]
        while true {
            let last = open.count - 1
            let member: JSON?
            if let element = open[last].elements.next() {
                if let inner = JSONChildren(element), !inner.isObject {
                    open.append((inner, [], inner.count == 0))
                    continue
                }
                member = element.member(key)
            } else {
                let (_, found, isFound) = open.removeLast()
                member = isFound ? JSON(.array(JSONTree(found))) : nil
                if open.isEmpty { return member }
            }
            open[open.count - 1].found.append(member ?? .null)
            if member != nil { open[open.count - 1].isFound = true }
        }
    }

    private func applying(
        _ collection: CollectionOperator, to path: ArraySlice<JSONKeyPath.Component>
    ) throws(OperatorMismatch) -> JSON? {
        guard var elements = JSONChildren(self) else { return isNull ? .null : nil }
        if collection == .count { return .integer(elements.count) }
        if elements.isObject { return nil }
        let count = elements.count
        var fold = CollectionFold(collection, capacity: count)
        let keys = path.compactMap(\.key)
        for index in 0..<count {
            let leaf: JSON?
            do {
                leaf = keys.count == path.count ? elements.next(at: keys) : try elements.next()?.value(at: path)
            } catch {
                throw error.inside(.index(index))
            }
            guard let leaf, leaf.isPresent else { continue }
            do {
                try fold.add(leaf, at: index)
            } catch {
                throw error.at(path)
            }
        }
        return fold.value(over: count)
    }

    /// Returns the value at keys.
    fileprivate func member(_ keys: ArraySlice<String>) -> JSON? {
        var value = self
        for key in keys {
            guard let next = value.member(key) else { return nil }
            value = next
        }
        return value
    }
}

extension JSONChildren {
    /// Returns the value at keys in the next element; `nil` after the last element, or if the keys do not exist.
    fileprivate mutating func next(at keys: [String]) -> JSON? {
        guard let (tape, place) = nextPlace() else { return next()?.member(keys[...]) }
        return tape.value(at: keys, from: place)
    }
}

extension TokenTape {
    /// Returns the value at keys, starting at a place; `nil` if the keys do not exist.
    fileprivate func value(at keys: [String], from start: Int) -> JSON? {
        var place = start
        for (index, key) in keys.enumerated() {
            switch tokens.token(place).kind {
            case .object:
                guard let next = member(key, of: place) else { return nil }
                place = next
            case .array: return value(at: place).member(keys[index...])
            case .null: return .null
            default: return nil
            }
        }
        return value(at: place)
    }
}

/// A value that an operator does not support.
struct OperatorMismatch: Error {
    var path: [JSONPathStep]
    let expected: String
    let found: String

    /// Creates the mismatch of the leaf in the element at an index.
    init(at index: Int, expected: String, found: String) {
        path = [.index(index)]
        self.expected = expected
        self.found = found
    }

    /// Adds the steps from an element to its leaf.
    func at(_ leaf: ArraySlice<JSONKeyPath.Component>) -> OperatorMismatch {
        var copy = self
        copy.path += leaf.prefix { $0.key != nil }.compactMap { $0.key.map { .key($0) } }
        return copy
    }

    /// Adds the step to the value.
    func inside(_ step: JSONPathStep?) -> OperatorMismatch {
        var copy = self
        copy.path = [step].compactMap(\.self) + path
        return copy
    }

    /// Adds the steps to the element; its index follows the first few of them.
    func inside(_ steps: [JSONPathStep], elementAfter position: Int) -> OperatorMismatch {
        var copy = self
        copy.path = Array(steps[..<position] + path.prefix(1) + steps[position...] + path.dropFirst())
        return copy
    }
}
