import ObjectMapping

/// An attribute of a managed class: its location in an object, and its stored form.
class ManagedAttribute: @unchecked Sendable {  // immutable
    /// The name of the property and of the column.
    let name: String
    /// The offset in an object.
    let offset: Int
    let type: AttributeType
    let options: [StoredOption.Kind]
    let isTransient: Bool
    let isIdentity: Bool
    let isRequired: Bool
    /// Whether the default counts as assigned.
    let isGenerated: Bool
    /// Whether the default differs from object to object, such as that of `UUID()` and `Date()`.
    let hasVaryingDefault: Bool
    /// Whether the property can be `nil`.
    let isOptional: Bool
    /// The direct coding; `nil` for other types.
    let direct: DirectCoding?
    /// Whether its column supports all values.
    let isTotal: Bool

    init(
        _ name: String, at offset: Int, _ type: AttributeType, _ options: [StoredOption.Kind], isOptional: Bool,
        hasVaryingDefault: Bool, direct: DirectCoding?, isTotal: Bool
    ) {
        self.name = name
        self.offset = offset
        self.type = type
        self.options = options
        isTransient = options.contains(.transient)
        isIdentity = options.contains(.identity)
        isRequired = options.contains(.required)
        isGenerated = options.contains(.generated)
        self.hasVaryingDefault = hasVaryingDefault
        self.isOptional = isOptional
        self.direct = direct
        self.isTotal = isTotal
    }

    /// Whether its texts are compared as numbers.
    var isDecimal: Bool { type.scalar == .decimal && !type.isList }

    /// Whether a value may be invalid.
    var needsValidation: Bool { !isTransient && (isRequired || !isTotal) }

    /// The name of the type of its values in messages.
    var typeName: String { type.description }

    /// The default in stored form; null if it differs from object to object.
    var defaultValue: StoredValue { .null }

    /// Sets the property to the value of its column; null is replaced with the default if the property cannot be `nil`.
    ///
    /// - Returns: Whether the column contains a value of the property's type.
    func load(_ value: StoredValue, into object: ManagedObject) -> Bool { false }

    /// Returns the stored form of an object's property; `nil` if it cannot be stored.
    func storedValue(of object: ManagedObject) -> StoredValue? { nil }

    /// Returns a stored value in the form that objects write; `nil` for a value of another type.
    func canonical(_ value: StoredValue) -> StoredValue? { nil }

    /// Returns the reason why an object's property cannot be stored.
    func refusal(of object: ManagedObject) -> String { "" }

    /// Sets the property to its default.
    func reset(_ object: ManagedObject) {}

    /// Copies the property of an object; the returned closure restores it.
    func keep(_ object: ManagedObject) -> () -> Void { {} }

    // MARK: By name

    /// Returns the value of an object's property; `nil` for null.
    func value(of object: ManagedObject) -> Any? { nil }

    /// Returns the stored form of a value of the property's type, or of one that is converted without loss; `nil` for
    /// other values.
    func stored(_ value: Any) -> StoredValue? { nil }

    // MARK: Separate memory

    /// Whether no value contains references.
    var hasTrivialValues: Bool { false }

    /// Whether the default is `nil`.
    var hasNilDefault: Bool { isOptional && defaultValue.isNull }

    /// Initializes the property with its default.
    func initialize(_ memory: ObjectMemory) {}

    /// Ends the lifetime of the property.
    func deinitialize(_ memory: ObjectMemory) {}
}

/// An attribute with a known type, for queries that compare it with values.
class TypedAttribute<Value>: ManagedAttribute, @unchecked Sendable {  // immutable
    /// Returns the stored form of a value; `nil` if it cannot be stored.
    func encode(_ value: Value) -> StoredValue? { nil }

    /// Returns the value of a stored form; `nil` if it has another type.
    func decode(_ stored: StoredValue) -> Value? { nil }
}

/// An attribute with the coding of its values.
// Unchecked: immutable, like its superclass.
final class CodedAttribute<Coding: AttributeCoding>: TypedAttribute<Coding.Value>, @unchecked Sendable {
    // guarded by never changing: the initial value is only read, and copied to objects
    private let initial: Coding.Value
    private let stored: StoredValue

    init(_ place: ClassProbe.Place, _ options: [StoredOption.Kind]) {
        initial = ObjectMemory(place.objects.0)[place.offset, as: Coding.Value.self]
        let value = Coding.encode(initial)
        let second = Coding.encode(ObjectMemory(place.objects.1)[place.offset, as: Coding.Value.self])
        // Two dates created at about the same time can be equal.
        let moments = (initial as? Date).map { [$0] } ?? initial as? [Date] ?? []
        let isVarying = value != second || moments.contains { abs($0.timeIntervalSinceNow) < 60 }
        stored = isVarying ? .null : value ?? .null
        let direct = DirectCoding(Coding.Value.self)
        super.init(
            place.name, at: place.offset, Coding.type, options, isOptional: Coding.decode(.null) != nil,
            hasVaryingDefault: isVarying, direct: direct, isTotal: direct?.isTotal ?? Coding.isTotal)
    }

    /// Creates the attribute of an object without a class.
    ///
    /// - Parameter initial: The default.
    init(_ name: String, at offset: Int, _ options: [StoredOption.Kind], initial: Coding.Value) {
        self.initial = initial
        stored = Coding.encode(initial) ?? .null
        let direct = DirectCoding(Coding.Value.self)
        super.init(
            name, at: offset, Coding.type, options, isOptional: Coding.decode(.null) != nil, hasVaryingDefault: false,
            direct: direct, isTotal: direct?.isTotal ?? Coding.isTotal)
    }

    override var typeName: String { Coding.typeName }

    override var defaultValue: StoredValue { stored }

    override func load(_ value: StoredValue, into object: ManagedObject) -> Bool {
        if let value = Coding.decode(value) {
            ObjectMemory(object)[offset, as: Coding.Value.self] = value
            return true
        }
        guard value.isNull else { return false }
        reset(object)
        return true
    }

    override func storedValue(of object: ManagedObject) -> StoredValue? {
        let memory = ObjectMemory(object)
        if let direct {
            let value = direct.storedValue(of: memory, at: offset)
            if case .real(let number) = value, number.isNaN { return nil }
            return value
        }
        return Coding.encode(memory[offset, as: Coding.Value.self])
    }

    override func canonical(_ value: StoredValue) -> StoredValue? { Coding.decode(value).flatMap(Coding.encode) }

    override func refusal(of object: ManagedObject) -> String {
        let value = ObjectMemory(object)[offset, as: Coding.Value.self]
        let isNaN = (value as? Decimal)?.isNaN ?? (value as? Double)?.isNaN ?? (value as? Float)?.isNaN ?? false
        return isNaN
            ? "NaN cannot be stored as \(type)"
            : "the value cannot be stored as \(type): it is too large, or it cannot be encoded"
    }

    override func reset(_ object: ManagedObject) { ObjectMemory(object)[offset, as: Coding.Value.self] = initial }

    override func keep(_ object: ManagedObject) -> () -> Void {
        let (offset, value) = (offset, ObjectMemory(object)[offset, as: Coding.Value.self])
        return { ObjectMemory(object)[offset, as: Coding.Value.self] = value }
    }

    override func value(of object: ManagedObject) -> Any? {
        let value = ObjectMemory(object)[offset, as: Coding.Value.self]
        return (value as? any OptionalContent).map(\.unwrapped) ?? value
    }

    override func stored(_ value: Any) -> StoredValue? {
        if let value = value as? Coding.Value { return Coding.encode(value) }
        return AnyValue(value).stored(as: type).flatMap(canonical)
    }

    override var hasTrivialValues: Bool { _isPOD(Coding.Value.self) }

    override func initialize(_ memory: ObjectMemory) { memory.initialize(offset, to: initial) }

    override func deinitialize(_ memory: ObjectMemory) { memory.deinitialize(offset, as: Coding.Value.self) }

    override func encode(_ value: Coding.Value) -> StoredValue? { Coding.encode(value) }

    override func decode(_ stored: StoredValue) -> Coding.Value? { Coding.decode(stored) }
}
