extension JSON {
    /// A missing value; unlike null, it is in no text.
    static let absent = JSON(.absent)

    /// The value of a key; absent if there is none, or if this is not an object.
    ///
    /// Setting adds or replaces a member, or removes it when set to an absent value. Null and absent become an object
    /// then; values of other kinds do not change.
    ///
    /// - Complexity: O(1) on average to read, O(*n*) in the number of members to set. The first read from an object of
    ///   more than 16 members is O(*n*).
    public subscript(key: String) -> JSON {
        get { object?[key] ?? .absent }
        set {
            guard object != nil || isNull || !exists else { return }
            var members = object.map(Array.init) ?? []
            let name = ExactText(text: key)
            switch (members.firstIndex { ExactText(text: $0.key) == name }, newValue.exists) {
            case (let position?, true): members[position].value = newValue
            case (let position?, false): members.remove(at: position)
            case (nil, true): members.append((key, newValue))
            case (nil, false): return
            }
            self = JSONObject(unique: members).json
        }
    }

    /// The element at an index from 0; absent if there is none, or if this is not an array.
    ///
    /// Setting replaces an element, appends one at the index after the last, or removes one when set to an absent
    /// value; elsewhere it changes nothing.
    ///
    /// - Complexity: O(1) to read, O(*n*) in the number of elements to set. The first read from a parsed array of more
    ///   than 32 elements is O(*n*).
    public subscript(index: Int) -> JSON {
        get {
            switch storage {
            case .array(let tree) where tree.values.indices.contains(index): return tree.values[index]
            case .parsed(let tape, let place) where tape.tokens.token(place).kind == .array:
                guard 0..<tape.tokens.memberCount(place) ~= index else { return .absent }
                return tape.value(at: tape.child(index, of: place))
            default: return .absent
            }
        }
        set {
            guard var elements = array, 0...elements.count ~= index else { return }
            switch (index < elements.count, newValue.exists) {
            case (true, true): elements[index] = newValue
            case (true, false): elements.remove(at: index)
            case (false, true): elements.append(newValue)
            case (false, false): return
            }
            self = JSON(.array(JSONTree(elements)))
        }
    }

    /// The value at a key path; absent if there is none, or if the path cannot be followed.
    ///
    /// `value(at:)` says why.
    public subscript(at path: JSONKeyPath) -> JSON { (try? value(at: path)) ?? .absent }
}
