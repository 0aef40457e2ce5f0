/// A rule that reads one value of the payload into one property.
///
/// ```swift
/// Attribute("id", \.id)
/// Attribute("address.city", \.city)
/// Attribute("transactions.@avg.amount", \.averageAmount)
/// ```
///
/// An absent key leaves the property alone, null clears it: an optional becomes nil, any other property gets the value
/// that it has in a fresh model.
public struct Attribute<Model, Value>: MappingRule {
    /// What the rule says, for the library's own use.
    public var definition: RuleDefinition<Model>

    /// Reads the value at a key path into a property that can be written.
    @inlinable @inline(__always)
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) where Value: JSONConvertible {
        self.init(source, reading: Property(property))
    }

    // With this one beside it the compiler has one thing to say of a misspelt property, not three.
    /// Not for properties that cannot be written.
    @available(*, unavailable, message: "the property cannot be written: make it a `var`, or make the model at once")
    public init(_ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>)
    where Value: JSONConvertible {
        self.init(source, reading: Property(of: Model.self, reading: property))
    }

    @usableFromInline init(_ source: MappingSource, reading property: Property) where Value: JSONConvertible {
        definition = RuleDefinition(source: source, destination: { property.name }) { builder, options in
            if let conversion = options.conversion {
                return property.entry(
                    options.wrapped(conversion.box(), builder), acceptsNull: conversion.acceptsNull, builder)
            }
            let plan = Value.valuePlan
            return plan.operation == .value || !options.wrappers.isEmpty
                ? property.entry(options.wrapped(plan.box(), builder), acceptsNull: plan.acceptsNull, builder)
                : property.entry(plan.operation, acceptsNull: plan.acceptsNull, builder)
        }
    }
}

extension Attribute {
    /// The same rule, for a key that must be there: its absence is an issue, and so is null unless the property is optional.
    public var required: Attribute {
        var copy = self
        copy.definition.options.isRequired = true
        return copy
    }
}
