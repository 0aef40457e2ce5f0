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
        self.init(source, property) { ParameterPlan(one: Destination(mapping)) }
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
        self.init(source, property) { ParameterPlan(optional: ParameterPlan(one: Destination(mapping))) }
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
        self.init(source, property) { ParameterPlan(array: ParameterPlan(one: Destination(mapping))) }
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
            ParameterPlan(optional: ParameterPlan(array: ParameterPlan(one: Destination(mapping))))
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
        self.init(source, property) { ParameterPlan(set: ParameterPlan(one: Destination(mapping))) }
    }
}
