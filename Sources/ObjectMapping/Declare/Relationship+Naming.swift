/// Relationships at the key that the property's name becomes by the `keys` of the mapping.
///
/// ```swift
/// Mapping(Person.init, keys: .snakeCase) {
///     Relationship(\.homeAddress)   // home_address
/// }
/// ```
extension Relationship {
    /// To one: an object.
    ///
    /// - Parameter property: What is set; its name becomes the key.
    @inlinable @inline(__always)
    public init<Value: Mappable>(_ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value>) {
        self.init(.propertyName, Property(property), one: LazyMapping(Value.self))
    }

    /// To one or none: an object or null.
    ///
    /// - Parameter property: What is set; its name becomes the key.
    @inlinable @inline(__always)
    public init<Value: Mappable>(_ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Value?>) {
        self.init(.propertyName, Property(property), one: LazyMapping(Value.self), isOptional: true)
    }

    /// To many: an array of objects.
    ///
    /// - Parameter property: What is set; its name becomes the key.
    @inlinable @inline(__always)
    public init<Value: Mappable>(_ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]>) {
        self.init(.propertyName, Property(property), many: LazyMapping(Value.self), ElementType(Value.self))
    }

    /// To many or nil: an array of objects or null.
    ///
    /// - Parameter property: What is set; its name becomes the key.
    @inlinable @inline(__always)
    public init<Value: Mappable>(_ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, [Value]?>) {
        self.init(
            .propertyName, Property(property), many: LazyMapping(Value.self), ElementType(Value.self), isOptional: true)
    }

    /// To many without order: an array of objects.
    ///
    /// - Parameter property: What is set; its name becomes the key.
    @inlinable @inline(__always)
    public init<Value: Mappable>(_ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>>)
    {
        self.init(.propertyName, Property(property), set: LazyMapping(Value.self))
    }

    /// To many without order, or nil: an array of objects or null.
    ///
    /// - Parameter property: What is set; its name becomes the key.
    @inlinable @inline(__always)
    public init<Value: Mappable>(_ property: @autoclosure @escaping @Sendable () -> WritableKeyPath<Model, Set<Value>?>)
    {
        self.init(.propertyName, Property(property), set: LazyMapping(Value.self), isOptional: true)
    }

    /// Not for properties that cannot be written.
    @available(*, unavailable, message: "the property cannot be written: make it a `var`, or make the model at once")
    public init<Value: Mappable>(_ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>) {
        self.init(.propertyName, Property(of: Model.self, reading: property), one: LazyMapping(Value.self))
    }
}
