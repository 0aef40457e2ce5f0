// Each of three forms: a conversion of the value itself, of what it holds (`Date?`, `[Date]`, `[String: Date]`), and of
// what that holds (`[Date]?`, `[Date?]`).

extension Attribute {
    /// The same rule, with a conversion in both directions instead of the type's own.
    ///
    /// - Parameter conversion: One of the library's or of one's own, as `.date(.rfc1123)`.
    public func using(_ conversion: Conversion<Value>) -> Attribute {
        with { $0.conversion = RuleConversion(conversion) }
    }

    /// The same rule, with a conversion of what the optional, array, set or dictionary holds.
    ///
    /// - Parameter conversion: One of the library's or of one's own, as `.date(.rfc1123)`.
    public func using(_ conversion: Conversion<Value.Content>) -> Attribute where Value: ConversionContainer {
        using(Conversion(holding: conversion))
    }

    /// The same rule, with a conversion of what is held two levels deep, as in an optional array.
    ///
    /// - Parameter conversion: One of the library's or of one's own, as `.date(.rfc1123)`.
    public func using(_ conversion: Conversion<Value.Content.Content>) -> Attribute
    where Value: ConversionContainer, Value.Content: ConversionContainer {
        using(Conversion(holding: Conversion(holding: conversion)))
    }
}

extension Attribute {
    /// Reads a value by a conversion; its type need not be `JSONConvertible`.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - property: What is set.
    ///   - conversion: One of the library's or of one's own, as `.date(.rfc1123)`.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        using conversion: Conversion<Value>
    ) { self.init(source, Property(property), conversion) }

    // With this one beside it the compiler has one thing to say of a misspelt property, not several.
    /// Not for properties that cannot be written.
    @available(*, unavailable, message: "the property cannot be written: make it a `var`, or make the model at once")
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>,
        using conversion: Conversion<Value>
    ) { self.init(source, Property(of: Model.self, reading: property), conversion) }

    /// Reads a value by a conversion of what the optional, array, set or dictionary holds.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - property: What is set.
    ///   - conversion: One of the library's or of one's own, as `.date(.rfc1123)`.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        using conversion: Conversion<Value.Content>
    ) where Value: ConversionContainer { self.init(source, Property(property), Conversion(holding: conversion)) }

    /// Reads a value by a conversion of what is held two levels deep, as in an optional array.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - property: What is set.
    ///   - conversion: One of the library's or of one's own, as `.date(.rfc1123)`.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        using conversion: Conversion<Value.Content.Content>
    ) where Value: ConversionContainer, Value.Content: ConversionContainer {
        self.init(source, Property(property), Conversion(holding: Conversion(holding: conversion)))
    }

    /// Reads a value as its type's `Codable` conformance says.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - property: What is set.
    ///   - conversion: `.codable`.
    @inlinable @inline(__always) public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>,
        using conversion: CodableConversion
    ) where Value: Codable & SendableMetatype { self.init(source, Property(property), Conversion(conversion)) }

    // With this one beside it the compiler has one thing to say of a misspelt property, not several.
    /// Not for properties that cannot be written.
    @available(*, unavailable, message: "the property cannot be written: make it a `var`, or make the model at once")
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>,
        using conversion: CodableConversion
    ) where Value: Codable & SendableMetatype {
        self.init(source, Property(of: Model.self, reading: property), Conversion(conversion))
    }

    @usableFromInline init(_ source: MappingSource, _ property: Property, _ conversion: Conversion<Value>) {
        definition = RuleDefinition(source, AttributeKind<Value>(property))
            .with { $0.conversion = RuleConversion(conversion) }
    }
}
