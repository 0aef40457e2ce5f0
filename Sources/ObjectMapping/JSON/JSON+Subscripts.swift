extension JSON {
    /// What is not there; unlike null, it stands in no text.
    static let absent = JSON(.absent)

    /// The value of a key; absent if there is none, or if this is no object.
    ///
    /// Setting adds or replaces a member, or removes it when set to an absent value. Null and absent become an object
    /// then; values of other kinds stay as they are.
    ///
    /// - Complexity: O(1) on average to read, O(*n*) in the number of members to set.
    public subscript(key: String) -> JSON {
        get { object?[key] ?? .absent }
        set {
            guard object != nil || isNull || !exists else { return }
            var members = object.map(Array.init) ?? []
            switch (object?.position(of: key), newValue.exists) {
            case (let position?, true): members[position].value = newValue
            case (let position?, false): members.remove(at: position)
            case (nil, true): members.append((key, newValue))
            case (nil, false): return
            }
            self = JSON(.object(JSONObject(unique: members)))
        }
    }

    /// The element at an index from 0; absent if there is none, or if this is no array.
    ///
    /// Setting replaces an element, appends one at the index after the last, or removes one when set to an absent
    /// value; elsewhere it changes nothing.
    ///
    /// - Complexity: O(1) to read, O(*n*) in the number of elements to set.
    public subscript(index: Int) -> JSON {
        get {
            guard let array, array.indices.contains(index) else { return .absent }
            return array[index]
        }
        set {
            guard var elements = array, 0...elements.count ~= index else { return }
            switch (index < elements.count, newValue.exists) {
            case (true, true): elements[index] = newValue
            case (true, false): elements.remove(at: index)
            case (false, true): elements.append(newValue)
            case (false, false): return
            }
            self = JSON(.array(elements))
        }
    }

    /// The value at a key path; absent if there is none, or if the path cannot be followed.
    ///
    /// `value(at:)` says why.
    public subscript(at path: JSONKeyPath) -> JSON { (try? value(at: path)) ?? .absent }
}
