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
    ) where Value: SendableMetatype {
        self.init(source, property) { ParameterPlan(one: LazyMapping(mapping)) }
    }

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
