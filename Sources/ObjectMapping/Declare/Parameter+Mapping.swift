extension Parameter {
    /// An argument that is an object, read by a mapping of one's choice.
    ///
    /// - Parameters:
    ///   - source: Where the object stands.
    ///   - property: What the argument is written from; nil where the model is never written.
    ///   - mapping: How the object is read.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) where Value: SendableMetatype { self.init(source, property) { ParameterPlan(one: LazyMapping(mapping)) } }

    /// An argument that is an object or null, read by a mapping of one's choice.
    ///
    /// - Parameters:
    ///   - source: Where the object stands.
    ///   - property: What the argument is written from; nil where the model is never written.
    ///   - mapping: How the object is read.
    public init<Wrapped: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Wrapped>
    ) where Value == Wrapped? {
        self.init(source, property) { ParameterPlan(optional: ParameterPlan(one: LazyMapping(mapping))) }
    }

    /// An argument that is an array of objects, each read by a mapping of one's choice.
    ///
    /// - Parameters:
    ///   - source: Where the array stands.
    ///   - property: What the argument is written from; nil where the model is never written.
    ///   - mapping: How each object is read.
    public init<Element: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Element>
    ) where Value == [Element] {
        self.init(source, property) { ParameterPlan(array: ParameterPlan(one: LazyMapping(mapping))) }
    }

    /// An argument that is an array of objects or null, each read by a mapping of one's choice.
    ///
    /// - Parameters:
    ///   - source: Where the array stands.
    ///   - property: What the argument is written from; nil where the model is never written.
    ///   - mapping: How each object is read.
    public init<Element: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Element>
    ) where Value == [Element]? {
        self.init(source, property) {
            ParameterPlan(optional: ParameterPlan(array: ParameterPlan(one: LazyMapping(mapping))))
        }
    }

    /// An argument that is an array of objects without order, each read by a mapping of one's choice.
    ///
    /// - Parameters:
    ///   - source: Where the array stands.
    ///   - property: What the argument is written from; nil where the model is never written.
    ///   - mapping: How each object is read.
    public init<Element: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Element>
    ) where Value == Set<Element> {
        self.init(source, property) { ParameterPlan(set: ParameterPlan(one: LazyMapping(mapping))) }
    }

    // With this one beside the others the compiler says what is wrong with a mapping of another type.
    /// Not for mappings of another type.
    @available(*, unavailable, message: "the mapping makes another type than the argument has")
    public init<Other: SendableMetatype>(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil,
        by mapping: @autoclosure @escaping @Sendable () -> Mapping<Other>
    ) {
        self.init(source, property) {
            ParameterPlan(output: { _ in OutputBox() }) { _ in ValueBox(size: 0, alignment: 1) }
        }
    }
}

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
