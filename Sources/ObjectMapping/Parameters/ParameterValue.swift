/// A type that an argument of an initialiser may have: one that is converted, one that is mapped, or an optional, an
/// array or a set of such.
///
/// Types conform by being `JSONConvertible` or `Mappable`.
public protocol ParameterValue: SendableMetatype {
    /// How the library reads the type; there is no need to write one.
    static var parameterPlan: ParameterPlan<Self> { get }
}

extension JSONConvertible {
    /// Reads as an attribute is read.
    public static var parameterPlan: ParameterPlan<Self> {
        let plan = valuePlan.reading
        return ParameterPlan(
            operation: plan.operation, optional: plan.optional, acceptsNull: plan.acceptsNull, element: plan.element,
            output: { _ in valueOutput.box() }
        ) { _ in plan.box() }
    }
}

extension Mappable {
    /// Reads an object by the type's mapping.
    public static var parameterPlan: ParameterPlan<Self> { ParameterPlan(one: LazyMapping(Self.self)) }
}

extension Mappable where Self: JSONConvertible {
    /// Reads an object by the type's mapping.
    public static var parameterPlan: ParameterPlan<Self> { ParameterPlan(one: LazyMapping(Self.self)) }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
    /// Reads as the wrapped type is read; nil for null.
    public static var parameterPlan: ParameterPlan<Self> { ParameterPlan(optional: Wrapped.parameterPlan) }
}

extension Array: ParameterValue where Element: ParameterValue {
    /// Reads a list of what the element's type is read from.
    public static var parameterPlan: ParameterPlan<Self> { ParameterPlan(array: Element.parameterPlan) }
}

extension Set: ParameterValue where Element: ParameterValue {
    /// Reads a list of what the element's type is read from; repeated elements count once.
    public static var parameterPlan: ParameterPlan<Self> { ParameterPlan(set: Element.parameterPlan) }
}
