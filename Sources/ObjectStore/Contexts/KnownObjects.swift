import ObjectMapping

/// An identity in stored form.
enum StoredIdentity: Hashable {
    /// Most identities are one integer.
    case integer(Int64)
    case values([StoredValue])

    init(_ values: [StoredValue]) {
        if values.count == 1, case .integer(let value) = values[0] {
            self = .integer(value)
        } else {
            self = .values(values)
        }
    }

    var values: [StoredValue] {
        switch self {
        case .integer(let value): [.integer(value)]
        case .values(let values): values
        }
    }

    /// The identity as an element of a JSON array; `nil` if JSON cannot represent it exactly.
    var json: String? {
        guard case .values(let values) = self else { return "\(values[0])" }
        var texts: [String] = []
        for value in values {
            switch value {
            case .integer(let value): texts.append("\(value)")
            // SQLite ends texts at NUL.
            case .text(let text) where !text.utf8.contains(0): texts.append(JSON.string(text).text)
            case .null, .real, .text, .blob: return nil
            }
        }
        return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ","))]"
    }
}

/// The results of lookups by identity, for the objects of one entity.
struct KnownObjects {
    /// The result of a lookup.
    enum Entry {
        case object(ManagedObject)
        /// An object with unsaved changes, whose other properties were not read again.
        case changed(ManagedObject)
        /// Neither the context nor the store contains an object with the identity.
        case absent

        var object: ManagedObject? {
            switch self {
            case .object(let object), .changed(let object): object
            case .absent: nil
            }
        }
    }

    private var integers: [Int64: Entry] = [:]
    private var others: [[StoredValue]: Entry] = [:]

    /// The objects that were found or created.
    var objects: [ManagedObject] { integers.values.compactMap(\.object) + others.values.compactMap(\.object) }

    /// Returns the result for an identity; `nil` if it was not looked up.
    subscript(identity: StoredIdentity) -> Entry? {
        get {
            switch identity {
            case .integer(let value): integers[value]
            case .values(let values): others[values]
            }
        }
        set {
            switch identity {
            case .integer(let value): integers[value] = newValue
            case .values(let values): others[values] = newValue
            }
        }
    }
}

/// The entity of the objects that a mapping identifies.
final class StoredKind {
    let kind: ObjectKind
    let entity: StoredEntity
    /// The names of the unique attributes that are compared with keys; empty for the identity.
    let matching: [String]
    /// For each attribute of the identity, its index in a key; `nil` if the properties are not the identity.
    private let positions: [Int]?

    init(_ kind: ObjectKind, _ entity: StoredEntity) {
        self.kind = kind
        self.entity = entity
        // A compiled mapping matches unique attributes only.
        matching = kind.isMatching ? entity.type.attributeNames(of: kind.properties.map { $0 }) ?? [] : []
        if kind.isMatching {
            positions = matching.isEmpty ? nil : Array(matching.indices)
            return
        }
        let names = kind.properties.map { entity.type.steps(of: $0)?.last?.name }
        let positions = entity.identity.compactMap { names.firstIndex(of: entity.type.attributes[$0].name) }
        let isIdentity = names.count == entity.identity.count && positions.count == names.count
        self.positions = isIdentity && !names.isEmpty ? positions : nil
    }

    /// Whether the mapping sets only properties whose changes a context records.
    private(set) lazy var setsStoredPropertiesOnly: Bool =
        kind.assignedProperties?.allSatisfy { path in
            guard let steps = entity.type.steps(of: path), steps.count == 1 else { return false }
            if case .attribute(let index) = steps[0].property { return !entity.type.attributes[index].isTransient }
            return true
        } ?? false

    /// Returns the identity for a key of a payload; `nil` if the key has the wrong type.
    func identity(_ key: ObjectKey) -> StoredIdentity? {
        guard let positions else { return nil }
        if positions.count == 1 {
            if case .integer(let value) = key { return .integer(value) }
            return key.storedValue.map { StoredIdentity([$0]) }
        }
        let parts = key.parts
        guard parts.count == positions.count else { return nil }
        var values: [StoredValue] = []
        for position in positions {
            guard let value = parts[position].storedValue else { return nil }
            values.append(value)
        }
        return .values(values)
    }
}

extension ObjectKey {
    /// Returns the stored form of a key; `nil` if it cannot be stored.
    fileprivate var storedValue: StoredValue? {
        switch self {
        case .integer(let value): .integer(value)
        case .string(let value): .text(value)
        case .uuid(let value): value.storedValue
        case .date(let value): value.storedValue
        case .other(let key): (key.value.base as? any AttributeValue)?.storedValue
        case .unsigned, .compound: nil
        }
    }
}
