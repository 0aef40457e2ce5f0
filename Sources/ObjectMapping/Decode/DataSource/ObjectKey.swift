/// The identity of an object: the value of one property, or the values of several.
///
/// Integer keys of all types compare by value, strings by their UTF-8 bytes, and raw-representable values by their raw
/// value.
package enum ObjectKey: Hashable, Sendable {
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    case string(String)
    case uuid(UUID)
    case date(Date)
    /// The values of several properties, in the order of the identity.
    case compound([ObjectKey])
    /// A value of any other type.
    case other(OtherKey)

    /// Creates the key of a value; `nil` for `nil`.
    package init?<Value: Hashable>(_ value: Value) {
        guard let key = withMemory(of: value, { KeyType(Value.self).key($0) }) else { return nil }
        self = key
    }

    /// Creates a key from parts; a single part is the key itself.
    ///
    /// - Returns: `nil` without parts.
    package init?(parts: [ObjectKey]) {
        guard let first = parts.first else { return nil }
        self = parts.count == 1 ? first : .compound(parts)
    }

    /// The parts of the key.
    package var parts: [ObjectKey] { if case .compound(let parts) = self { parts } else { [self] } }

    /// The value of a single property.
    var value: AnyHashable {
        switch self {
        case .integer(let value): Int(exactly: value).map { AnyHashable($0) } ?? AnyHashable(value)
        case .unsigned(let value): AnyHashable(value)
        case .string(let value): AnyHashable(value)
        case .uuid(let value): AnyHashable(value)
        case .date(let value): AnyHashable(value)
        case .compound(let parts): AnyHashable(parts)
        case .other(let key): key.value
        }
    }

    package static func == (a: ObjectKey, b: ObjectKey) -> Bool {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.string(let a), .string(let b)): ExactText(text: a) == ExactText(text: b)
        case (.uuid(let a), .uuid(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.compound(let a), .compound(let b)): a == b
        case (.other(let a), .other(let b)): a.value == b.value
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        // One word without a discriminator: most keys are integers, and a dictionary rarely has keys of several kinds.
        case .integer(let value): hasher.combine(value)
        case .unsigned(let value): hasher.combine(value)
        case .string(let value): ExactText(text: value).hash(into: &hasher)
        case .uuid(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .compound(let parts): for part in parts { part.hash(into: &hasher) }
        case .other(let key): hasher.combine(key.value)
        }
    }
}

/// A key of a type without a case in `ObjectKey`.
package final class OtherKey: @unchecked Sendable {  // guarded by the data source, which belongs to one thread
    package let value: AnyHashable

    init(_ value: AnyHashable) { self.value = value }
}

/// Converts values of a type to keys; the type is examined once, and not for each value.
final class KeyType: @unchecked Sendable {  // immutable: has constants only
    /// The type without its optionals.
    let type: Any.Type
    let size: Int
    let alignment: Int
    /// Returns the key of the value in initialized memory; `nil` for `nil`.
    let key: (Memory) -> ObjectKey?
    let destroy: (Memory) -> Void

    convenience init<Value: Hashable>(_: Value.Type) {
        self.init(KeyType.bare(Value.self), Value.self, KeyType.reading(Value.self))
    }

    /// Creates the type of a stamp, which is not a part of keys.
    convenience init<Value>(stamp _: Value.Type) { self.init(Value.self, Value.self) { _ in nil } }

    private init<Value>(_ type: Any.Type, _: Value.Type, _ key: @escaping (Memory) -> ObjectKey?) {
        self.type = type
        self.key = key
        size = MemoryLayout<Value>.size
        alignment = MemoryLayout<Value>.alignment
        destroy = { $0.deinitialize(as: Value.self) }
    }

    /// Returns the type without its optionals.
    private static func bare(_ type: Any.Type) -> Any.Type {
        (type as? any WrappingType.Type).map { bare($0.wrapped) } ?? type
    }

    private static func reading<Value: Hashable>(_: Value.Type) -> (Memory) -> ObjectKey? {
        switch Value.self {
        case is Int.Type: return { .integer(Int64($0[as: Int.self])) }
        case is String.Type: return { .string($0[as: String.self]) }
        case is UUID.Type: return { .uuid($0[as: UUID.self]) }
        case is Date.Type: return { .date($0[as: Date.self]) }
        case let type as any FixedWidthInteger.Type where type.bitWidth <= 64: return reading(integer: type)
        case let type as any WrappingType.Type:
            if let wrapped = type.wrapped as? any Hashable.Type { return reading(optional: wrapped) }
        case let type as any RawRepresentable.Type:
            if let read = reading(raw: type) { return read }
        default: break
        }
        return { .other(OtherKey(AnyHashable($0[as: Value.self]))) }
    }

    private static func reading<Value: FixedWidthInteger>(integer _: Value.Type) -> (Memory) -> ObjectKey? {
        { memory in
            let value = memory[as: Value.self]
            return Int64(exactly: value).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: value))
        }
    }

    private static func reading<Wrapped: Hashable>(optional _: Wrapped.Type) -> (Memory) -> ObjectKey? {
        let read = reading(Wrapped.self)
        return { memory in memory[as: Wrapped?.self].flatMap { withMemory(of: $0, read) } }
    }

    private static func reading<Value: RawRepresentable>(raw _: Value.Type) -> ((Memory) -> ObjectKey?)? {
        func raw<Raw: Hashable>(_: Raw.Type) -> (Memory) -> ObjectKey? { reading(Raw.self) }
        guard let type = Value.RawValue.self as? any Hashable.Type else { return nil }
        let read = raw(type)
        return { memory in withMemory(of: memory[as: Value.self].rawValue, read) }
    }
}
