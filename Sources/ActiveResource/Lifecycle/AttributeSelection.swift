/// Selects the attributes of a record that are sent: those that were received or assigned by name, and those whose value
/// changed.
struct AttributeSelection {
    /// The names of the attributes that were received, sent or assigned by name.
    let names: JSON
    /// The written record at the time when they were received or sent.
    let values: JSON

    /// Returns the selected members of an object.
    ///
    /// - Parameters:
    ///   - complete: The object with null for `nil`.
    ///   - present: The same object without null for `nil`.
    func members(of complete: JSON, present: JSON) -> JSON {
        .object(
            JSONObject(
                (complete.object ?? [:]).compactMap { name, value in
                    let known = names[name]
                    if known.exists {
                        // Unchanged values are sent as they were received: the record can be less precise.
                        if known.isLeaf, value.isSame(as: values[name]) { return (name, known) }
                        let below = AttributeSelection(names: known, values: values[name])
                        let selected = below.value(value, present: present[name])
                        // Of an object without a received or set attribute, nothing is known: `{}` would replace it.
                        return selected.object?.isEmpty == true && value.object?.isEmpty == false
                            ? nil : (name, selected)
                    }
                    guard !value.isSame(as: values[name]) else { return nil }
                    return (name, present[name].exists ? present[name] : value)
                }))
    }

    /// Returns the changed members of an object, as a merge patch (RFC 7396) whose elements of lists are selected.
    func changes(of complete: JSON, present: JSON) -> JSON {
        var members: [JSONObject.Element] = []
        for (name, value) in complete.object ?? [:] where !value.isSame(as: values[name]) {
            let below = AttributeSelection(names: names[name], values: values[name])
            if value.object != nil, below.values.object != nil {
                members.append((name, below.changes(of: value, present: present[name])))
            } else {
                members.append((name, below.value(value, present: present[name])))
            }
        }
        for (name, old) in values.object ?? [:] where !complete[name].exists && !old.isNull {
            members.append((name, .null))
        }
        return .object(JSONObject(members))
    }

    /// Returns the selected part of a value.
    private func value(_ complete: JSON, present: JSON) -> JSON {
        if complete.object != nil, names.object != nil { return members(of: complete, present: present) }
        if let elements = complete.array, names.array != nil {
            return .array(self.elements(elements, present: present))
        }
        return present.exists ? present : complete
    }

    /// Returns the selected parts of the elements of a list: a received element is found by its value, by its
    /// identifier or, in a list of the same length, by its position.
    private func elements(_ elements: [JSON], present: JSON) -> [JSON] {
        let (oldNames, oldValues) = (names.array ?? [], values.array ?? [])
        guard elements.contains(where: { $0.object != nil }), oldNames.count == oldValues.count else {
            return present.array ?? elements
        }
        var places: [JSON: Int] = [:]
        for (index, old) in oldValues.enumerated().reversed() {
            places[old] = index
            if old["id"].exists, !old["id"].isNull { places[["id": old["id"]]] = index }
        }
        return elements.enumerated().map { index, element in
            let isAtSamePlace = index < oldValues.count && oldValues[index] == element
            let isSimilar = elements.count == oldValues.count && !element["id"].exists
            let place =
                isAtSamePlace
                ? index : places[element] ?? places[["id": element["id"]]] ?? (isSimilar ? index : nil)
            guard let place else { return present[index].exists ? present[index] : element }
            let old = AttributeSelection(names: oldNames[place], values: oldValues[place])
            return old.value(element, present: present[index])
        }
    }

    /// Returns the members of an object that another object has.
    ///
    /// - Parameter inLists: Whether this includes the elements of lists of the same length. Defaults to `false`.
    static func part(of complete: JSON, named names: JSON, inLists: Bool = false) -> JSON {
        if inLists, let elements = complete.array, let known = names.array, elements.count == known.count {
            return .array(zip(elements, known).map { part(of: $0, named: $1, inLists: true) })
        }
        guard let members = complete.object, let known = names.object else { return complete }
        return .object(
            JSONObject(
                members.compactMap { name, value in
                    known[name].map { (name, part(of: value, named: $0, inLists: inLists)) }
                }))
    }
}

extension JSON {
    /// Whether a value contains no object.
    fileprivate var isLeaf: Bool { object == nil && (array?.allSatisfy(\.isLeaf) ?? true) }

    /// Whether two values are equal; null and absent are.
    func isSame(as other: JSON) -> Bool { self == other || (isNull || !exists) && (other.isNull || !other.exists) }
}
