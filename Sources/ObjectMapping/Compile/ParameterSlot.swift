/// The memory of an argument until the model is created: first the argument of an absent value, later the value that
/// was read.
@usableFromInline struct ParameterSlot<Value>: Sendable {
    /// The offset in the block of all arguments.
    @usableFromInline let offset: Int
    /// Returns the argument of an absent value.
    @usableFromInline let absent: (@Sendable () -> Value)?
    /// Whether the type is an optional, which needs no further optional.
    @usableFromInline let isOptional: Bool

    /// Initializes empty memory.
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

    /// Moves the value out, after `isFilled` returned true.
    @inlinable @inline(__always) func take(_ block: Memory) throws(MissingArgument) -> Value {
        if isOptional { return (block + offset).move(as: Value.self) }
        guard let value = (block + offset).move(as: Value?.self) else { throw MissingArgument() }
        return value
    }

    /// Assigns a copy of the first memory to the second.
    @inlinable func copy(_ source: Memory, _ target: Memory) {
        if isOptional {
            (target + offset)[as: Value.self] = (source + offset)[as: Value.self]
        } else {
            (target + offset)[as: Value?.self] = (source + offset)[as: Value?.self]
        }
    }

    /// Destroys the memory.
    @inlinable func destroy(_ block: Memory) {
        if isOptional {
            (block + offset).deinitialize(as: Value.self)
        } else {
            (block + offset).deinitialize(as: Value?.self)
        }
    }
}

/// The error of an argument without a value.
@usableFromInline struct MissingArgument: Error { @usableFromInline init() {} }

/// Assigns each argument an offset in one block of memory.
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

/// A type of an initializer's argument or a relationship: a `JSONConvertible` or `Mappable` type, or an optional, an
/// array, a set or a dictionary of one.
///
/// Types conform by being `JSONConvertible` or `Mappable`.
public protocol ParameterValue: SendableMetatype {
    /// Returns the reader of the type; there is no need to implement it.
    ///
    /// - Parameter shape: How the elements of a list of objects are arranged.
    static func typePlan(each shape: ElementShape) -> ErasedValuePlan
}

extension JSONConvertible {
    /// Reads the value like an attribute.
    public static func typePlan(each shape: ElementShape) -> ErasedValuePlan { ErasedValuePlan(valuePlan) }
}

extension Mappable {
    /// Reads an object by the type's mapping.
    public static func typePlan(each shape: ElementShape) -> ErasedValuePlan {
        ErasedValuePlan(ValuePlan(objects: LazyMapping(Self.self), each: shape))
    }
}

extension Mappable where Self: JSONConvertible {
    /// Reads an object by the type's mapping.
    public static func typePlan(each shape: ElementShape) -> ErasedValuePlan {
        ErasedValuePlan(ValuePlan(objects: LazyMapping(Self.self), each: shape))
    }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
    /// Reads the wrapped type, or `nil` for null.
    public static func typePlan(each shape: ElementShape) -> ErasedValuePlan {
        ErasedValuePlan(plan(ValuePlan(Wrapped.typePlan(each: shape)), each: shape))
    }
}

extension Array: ParameterValue where Element: ParameterValue {
    /// Reads a list of elements.
    @inlinable public static func typePlan(each shape: ElementShape) -> ErasedValuePlan {
        ErasedValuePlan(plan(ValuePlan(Element.typePlan(each: .element)), each: shape))
    }
}

extension Set: ParameterValue where Element: ParameterValue {
    /// Reads a list of elements; duplicates count once.
    @inlinable public static func typePlan(each shape: ElementShape) -> ErasedValuePlan {
        ErasedValuePlan(plan(ValuePlan(Element.typePlan(each: .element)), each: shape))
    }
}

extension Dictionary: ParameterValue where Key: CodingKeyRepresentable, Value: ParameterValue {
    /// Reads an object whose members are the elements.
    public static func typePlan(each shape: ElementShape) -> ErasedValuePlan {
        ErasedValuePlan(plan(ValuePlan(Value.typePlan(each: .element)), each: shape))
    }
}
