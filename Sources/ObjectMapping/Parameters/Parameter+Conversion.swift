extension Parameter {
    /// An argument that a conversion makes of a value; its type need not be `JSONConvertible`.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - property: What the argument is written from; nil where the model is never written.
    ///   - conversion: One of the library's or of one's own, as `.date(.rfc1123)`.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        using conversion: Conversion<Value>
    ) where Value: SendableMetatype {
        self.init(source, property) { ParameterPlan(conversion) }
        options.conversion = RuleConversion(conversion)
    }

    /// An argument that a conversion makes of a value, or nil for null.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - property: What the argument is written from; nil where the model is never written.
    ///   - conversion: One of the library's or of one's own, as `.date(.rfc1123)`.
    public init<Wrapped: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        using conversion: Conversion<Wrapped>
    ) where Value == Wrapped? {
        self.init(source, property) { ParameterPlan(optional: ParameterPlan(conversion)) }
        options.conversion = RuleConversion(Conversion<Value>(holding: conversion))
    }

    /// An argument that is an array, of whose elements a conversion makes values.
    ///
    /// - Parameters:
    ///   - source: Where the array stands.
    ///   - property: What the argument is written from; nil where the model is never written.
    ///   - conversion: One of the library's or of one's own, as `.date(.rfc1123)`.
    public init<Element: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        using conversion: Conversion<Element>
    ) where Value == [Element] {
        self.init(source, property) { ParameterPlan(array: ParameterPlan(conversion)) }
        options.conversion = RuleConversion(Conversion<Value>(holding: conversion))
    }
}

extension ParameterPlan {
    /// What a conversion makes of a value.
    fileprivate init(_ conversion: Conversion<Value>) {
        self.init(acceptsNull: conversion.acceptsNull, output: { _ in TreeOutput<Value>(conversion.write) }) { _ in
            conversion.box()
        }
    }
}
