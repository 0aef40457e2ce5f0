/// Where an argument waits until the model is made: memory that holds what the argument is without a value, and later the
/// value read.
@usableFromInline struct ParameterSlot<Value>: Sendable {
    /// Bytes from the start of the block of all arguments.
    @usableFromInline let offset: Int
    /// What there is before a value is read.
    @usableFromInline let absent: (@Sendable () -> Value)?
    /// Whether the type has a nil of its own, so that no other one is laid around it.
    @usableFromInline let isOptional: Bool

    /// Fills empty memory.
    @inlinable @inline(__always) func prepare(_ block: Memory) {
        if isOptional, let absent {
            (block + offset).initialize(as: Value.self, to: absent())
        } else {
            (block + offset).initialize(as: Value?.self, to: absent?())
        }
    }

    /// Whether there is a value.
    @inlinable @inline(__always) func isFilled(_ block: Memory) -> Bool {
        isOptional || (block + offset)[as: Value?.self] != nil
    }

    /// Moves the value out, of which `isFilled` has been asked.
    @inlinable @inline(__always) func take(_ block: Memory) throws(MissingArgument) -> Value {
        if isOptional { return (block + offset).move(as: Value.self) }
        guard let value = (block + offset).move(as: Value?.self) else { throw MissingArgument() }
        return value
    }

    /// Copies what is in the first memory over that in the second.
    @inlinable func copy(_ source: Memory, _ target: Memory) {
        if isOptional {
            (target + offset)[as: Value.self] = (source + offset)[as: Value.self]
        } else {
            (target + offset)[as: Value?.self] = (source + offset)[as: Value?.self]
        }
    }

    /// Empties the memory.
    @inlinable func destroy(_ block: Memory) {
        if isOptional {
            (block + offset).deinitialize(as: Value.self)
        } else {
            (block + offset).deinitialize(as: Value?.self)
        }
    }
}

/// An argument for which nothing was read.
@usableFromInline struct MissingArgument: Error { @usableFromInline init() {} }

/// Gives each argument its place in one block of memory.
@usableFromInline struct ParameterLayout<Model> {
    private(set) var size = 0
    private(set) var alignment = 1
    private(set) var rules: [RuleStorage] = []

    @usableFromInline init() {}

    @usableFromInline mutating func slot<Value>(for parameter: Parameter<Model, Value>) -> ParameterSlot<Value> {
        let isOptional = parameter.plan.typed.isOptional
        let (valueSize, valueAlignment) =
            isOptional
            ? (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
            : (MemoryLayout<Value?>.size, MemoryLayout<Value?>.alignment)
        let offset = (size + valueAlignment - 1) / valueAlignment * valueAlignment
        size = offset + valueSize
        alignment = max(alignment, valueAlignment)
        rules.append(parameter.rule(at: offset, number: rules.count + 1))
        return ParameterSlot(offset: offset, absent: parameter.absent, isOptional: isOptional)
    }
}

/// A type that an argument of an initialiser may have: one that is converted, one that is mapped, or an optional, an
/// array or a set of such.
///
/// Types conform by being `JSONConvertible` or `Mappable`.
public protocol ParameterValue: SendableMetatype {
    /// How the library reads the type; there is no need to write one.
    static var parameterPlan: ErasedValuePlan { get }
}

extension JSONConvertible {
    /// Reads as an attribute is read.
    public static var parameterPlan: ErasedValuePlan { ErasedValuePlan(valuePlan) }
}

extension Mappable {
    /// Reads an object by the type's mapping.
    public static var parameterPlan: ErasedValuePlan { relationshipPlan(each: .element) }
}

extension Mappable where Self: JSONConvertible {
    /// Reads an object by the type's mapping.
    public static var parameterPlan: ErasedValuePlan { relationshipPlan(each: .element) }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
    /// Reads the wrapped type, or nil for null.
    public static var parameterPlan: ErasedValuePlan {
        ErasedValuePlan(plan(ValuePlan(Wrapped.parameterPlan), each: .element))
    }
}

extension Array: ParameterValue where Element: ParameterValue {
    /// Reads a list of what the element's type is read from.
    public static var parameterPlan: ErasedValuePlan {
        ErasedValuePlan(plan(ValuePlan(Element.parameterPlan), each: .element))
    }
}

extension Set: ParameterValue where Element: ParameterValue {
    /// Reads a list of what the element's type is read from; repeated elements count once.
    public static var parameterPlan: ErasedValuePlan {
        ErasedValuePlan(plan(ValuePlan(Element.parameterPlan), each: .element))
    }
}
