import ObjectMapping

/// An option of an attribute.
public struct StoredOption: Sendable {
    enum Kind: Sendable, Equatable {
        case identity, generated, indexed, required, unique, searchable, transient, was([String])
    }
    let kind: Kind

    /// A part of the identity, which is unique in the class; several properties form a compound key.
    public static var identity: StoredOption { StoredOption(kind: .identity) }
    /// The default value, such as `UUID()`, is evaluated for each new object and each new imported row, and counts as
    /// assigned.
    ///
    /// ```swift
    /// @Stored(.identity, .generated) var id = UUID()
    /// ```
    public static var generated: StoredOption { StoredOption(kind: .generated) }
    /// Queries search by the attribute: its column has an index.
    public static var indexed: StoredOption { StoredOption(kind: .indexed) }
    /// Objects whose value is `nil` cannot be saved; for optional properties only.
    public static var required: StoredOption { StoredOption(kind: .required) }
    /// The value is unique in the class; saving reports duplicates.
    public static var unique: StoredOption { StoredOption(kind: .unique) }
    /// The text can be found by `search(_:)` of queries: the file has a full-text index; for strings only.
    ///
    /// ```swift
    /// @Stored(.searchable) var title = ""
    /// ```
    public static var searchable: StoredOption { StoredOption(kind: .searchable) }
    /// The value is kept in memory only.
    public static var transient: StoredOption { StoredOption(kind: .transient) }
    /// The names of the attribute in earlier versions of the class, the latest one first.
    ///
    /// Opening a file with one of these names renames its column. See <doc:Migration>.
    public static func was(_ names: String...) -> StoredOption { StoredOption(kind: .was(names)) }
}

/// An attribute of a managed object: a column of its table.
///
/// ```swift
/// final class ProjectTask: ManagedObject {
///     @Stored(.identity) var taskID = 0
///     @Stored(.indexed) var name = ""
///     @Stored var assignedUserID: Int? = nil
/// }
/// ```
///
/// The initial value is the attribute's default. Dates are truncated to milliseconds when they are assigned.
@propertyWrapper public struct Stored<Value> {
    @usableFromInline var value: Value

    /// Declares an attribute.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default value.
    ///   - first: An option, such as `.identity`.
    ///   - second: A second option.
    ///   - third: A third option.
    ///   - fourth: A fourth option.
    @inlinable public init(
        wrappedValue: Value, _ first: @autoclosure () -> StoredOption? = nil,
        _ second: @autoclosure () -> StoredOption? = nil, _ third: @autoclosure () -> StoredOption? = nil,
        _ fourth: @autoclosure () -> StoredOption? = nil
    ) where Value: AttributeValue {
        value = storable(wrappedValue)
        if ClassProbe.isActive {
            ClassProbe.note(values: Value.self, [first(), second(), third(), fourth()])
        }
    }

    /// Declares an optional attribute whose default is `nil`.
    @inlinable public init<Wrapped: AttributeValue>(
        _ first: @autoclosure () -> StoredOption? = nil, _ second: @autoclosure () -> StoredOption? = nil,
        _ third: @autoclosure () -> StoredOption? = nil, _ fourth: @autoclosure () -> StoredOption? = nil
    ) where Value == Wrapped? {
        self.init(wrappedValue: nil, first(), second(), third(), fourth())
    }

    /// Declares an optional attribute whose type is an enumeration with raw values and whose default is
    /// `nil`.
    @inlinable public init<Case: RawRepresentable>(
        _ first: @autoclosure () -> StoredOption? = nil, _ second: @autoclosure () -> StoredOption? = nil,
        _ third: @autoclosure () -> StoredOption? = nil, _ fourth: @autoclosure () -> StoredOption? = nil
    ) where Value == Case?, Case.RawValue: AttributeValue {
        self.init(wrappedValue: nil, first(), second(), third(), fourth())
    }

    /// Declares an optional attribute, which is stored as JSON and whose default is `nil`.
    @_disfavoredOverload @inlinable public init<Wrapped: Codable>(
        _ first: @autoclosure () -> StoredOption? = nil, _ second: @autoclosure () -> StoredOption? = nil,
        _ third: @autoclosure () -> StoredOption? = nil, _ fourth: @autoclosure () -> StoredOption? = nil
    ) where Value == Wrapped? {
        self.init(wrappedValue: nil, first(), second(), third(), fourth())
    }

    /// Rejects attributes without an initial value.
    @available(
        *, unavailable,
        message:
            "an attribute needs an initial value, or an optional type: @Stored var title = \"\"; its type is one that can be stored, an enum with raw values, or Codable"
    )
    @_disfavoredOverload public init(
        _ first: @autoclosure () -> StoredOption? = nil, _ second: @autoclosure () -> StoredOption? = nil,
        _ third: @autoclosure () -> StoredOption? = nil, _ fourth: @autoclosure () -> StoredOption? = nil
    ) { preconditionFailure("the compiler rejects calls") }

    /// Rejects objects of the store.
    @available(*, unavailable, message: "an object of the store is a relationship: declare it with @ToOne")
    public init<Target: ManagedObject>(_ first: @autoclosure () -> StoredOption? = nil) where Value == Target? {
        value = nil
    }

    /// Rejects lists of enumerations that cannot be encoded.
    @available(
        *, unavailable,
        message:
            "a list of enumerations is stored as JSON: declare the enumeration as Codable, such as enum Kind: String, Codable"
    )
    public init<Case: RawRepresentable>(
        wrappedValue: Value, _ first: @autoclosure () -> StoredOption? = nil,
        _ second: @autoclosure () -> StoredOption? = nil
    ) where Value == [Case] { value = wrappedValue }

    /// Rejects objects of the store.
    @available(*, unavailable, message: "an object of the store is a relationship: declare it with @ToOne")
    public init<Target: ManagedObject>(wrappedValue: Value) where Value == Target? { value = wrappedValue }

    /// Rejects lists of objects of the store.
    @available(*, unavailable, message: "objects of the store are a relationship: declare them with @ToMany")
    public init<Target: ManagedObject>(wrappedValue: Value) where Value == [Target] { value = wrappedValue }

    /// Declares an attribute of an enumeration with raw values.
    @inlinable public init(
        wrappedValue: Value, _ first: @autoclosure () -> StoredOption? = nil,
        _ second: @autoclosure () -> StoredOption? = nil, _ third: @autoclosure () -> StoredOption? = nil,
        _ fourth: @autoclosure () -> StoredOption? = nil
    ) where Value: RawRepresentable, Value.RawValue: AttributeValue {
        value = wrappedValue
        if ClassProbe.isActive {
            ClassProbe.note(rawValues: Value.self, [first(), second(), third(), fourth()])
        }
    }

    /// Declares an optional attribute whose type is an enumeration with raw values.
    @inlinable public init<Case: RawRepresentable>(
        wrappedValue: Value, _ first: @autoclosure () -> StoredOption? = nil,
        _ second: @autoclosure () -> StoredOption? = nil, _ third: @autoclosure () -> StoredOption? = nil,
        _ fourth: @autoclosure () -> StoredOption? = nil
    ) where Value == Case?, Case.RawValue: AttributeValue {
        value = wrappedValue
        if ClassProbe.isActive {
            ClassProbe.note(optionalRawValues: Case.self, [first(), second(), third(), fourth()])
        }
    }

    /// Declares an attribute of any `Codable` type, which is stored as JSON.
    @_disfavoredOverload @inlinable public init(
        wrappedValue: Value, _ first: @autoclosure () -> StoredOption? = nil,
        _ second: @autoclosure () -> StoredOption? = nil, _ third: @autoclosure () -> StoredOption? = nil,
        _ fourth: @autoclosure () -> StoredOption? = nil
    ) where Value: Codable {
        value = wrappedValue
        if ClassProbe.isActive {
            ClassProbe.note(codable: Value.self, [first(), second(), third(), fourth()])
        }
    }

    /// Rejects other classes: only classes that inherit from `ManagedObject` have attributes.
    @available(
        *, unavailable,
        message:
            "@Stored requires a class that inherits from ManagedObject; if it does, fix the other errors of the declaration first"
    )
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The value of the attribute; reads the object from the store if it is a fault.
    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object, wrapped property: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        @inline(__always) get {
            if object.access != .direct { object.willRead(at: offset(of: storage, in: object)) }
            return object[keyPath: storage].value
        }
        @inline(__always) set {
            let offset = offset(of: storage, in: object)
            if !object.isChanged(at: offset) { object.willChange(at: offset) }
            object[keyPath: storage].value = storable(newValue)
            object.didChange(at: offset)
        }
        @inline(__always) _modify {
            let offset = offset(of: storage, in: object)
            if !object.isChanged(at: offset) { object.willChange(at: offset) }
            yield &object[keyPath: storage].value
            if Value.self == Date.self || Value.self == Date?.self || hasDates(Value.self) {
                object[keyPath: storage].value = storable(object[keyPath: storage].value)
            }
            object.didChange(at: offset)
        }
    }
}

/// Returns a value in the precision of its column: dates are truncated to milliseconds.
@inlinable @inline(__always) func storable<Value>(_ value: Value) -> Value {
    if Value.self == Date.self, let date = value as? Date { return date.cutToMilliseconds as? Value ?? value }
    if Value.self == Date?.self, let date = value as? Date {
        return Optional(date.cutToMilliseconds) as? Value ?? value
    }
    return hasDates(Value.self) ? storableList(value) : value
}

/// Whether values of a type are lists of dates.
@inlinable @inline(__always) func hasDates<Value>(_: Value.Type) -> Bool {
    // The size first: the compiler compares it, but not the types of lists and other optionals.
    MemoryLayout<Value>.size == MemoryLayout<[Date]>.size
        && (Value.self == [Date].self || Value.self == [Date]?.self || Value.self == [Date?].self)
}

/// Truncates the dates of a list.
@usableFromInline func storableList<Value>(_ value: Value) -> Value {
    switch value {
    case let dates as [Date]: dates.map(\.cutToMilliseconds) as? Value ?? value
    case let dates as [Date?]: dates.map { $0?.cutToMilliseconds } as? Value ?? value
    default: value
    }
}

extension Date {
    @usableFromInline var cutToMilliseconds: Date { truncatedToMilliseconds }
}
