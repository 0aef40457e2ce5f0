import ObjectMapping

/// The statistics of the elements in one collection.
final class CollectionStatistics {
    /// The elements.
    let shape = ShapeStatistics()
    /// The names of the members with the elements, and elements that are not objects.
    let member = ShapeStatistics()
    private(set) var count = 0
    /// The number of elements with duplicate keys, of which the last value is used.
    private(set) var ambiguous = 0
    /// Whether each element was an object with one member that is an object.
    private(set) var areWrapped = true

    /// The key under which `member` counts the names of members.
    static let memberKey = "@key"
    /// The key under which `member` counts elements that are not objects.
    static let valueKey = ""

    func observe(_ element: JSON, key: String?, isValue: Bool) {
        count += 1
        if !element.duplicateKeys.isEmpty { ambiguous += 1 }
        if key != nil || isValue { member.countElement() }
        if let object = element.object, !isValue {
            areWrapped =
                areWrapped && object.count == 1 && !object[0].key.isEmpty
                && object[0].value.object?.isEmpty == false
            _ = shape.observe(object)
        } else {
            areWrapped = false
        }
        let content = isValue ? member.observe(element, as: Self.valueKey) : shape.content
        if let key { member.observe(Self.name(key), as: Self.memberKey, content: content) }
    }

    /// Returns the value of a member's name: names are strings in JSON, and canonical integers are treated as numbers.
    static func name(_ key: String) -> JSON {
        Int64(key).flatMap { String($0) == key ? .integer($0) : nil } ?? .string(key)
    }
}
