/// A rule that reads one object, or an array of them, into a property by another mapping.
///
/// ```swift
/// Relationship("owner", \.owner)                           // by the mapping of the destination's type
/// Relationship("transactions", \.payments, shortPayment)   // by a mapping of one's choice
/// ```
///
/// Into an array or a set a lone object goes as the only one, and null elements are left out. An absent key leaves the
/// property alone, null clears it. Mappings are resolved when the plan is made, so types may hold each other and
/// themselves.
public struct Relationship<Model>: MappingRule {
    /// What the rule says, for the library's own use.
    public private(set) var definition: RuleDefinition<Model>

    /// The same rule, for a key that must be there: its absence is an issue, and so is null unless the property is optional.
    public var required: Relationship {
        var copy = self
        copy.definition.isRequired = true
        return copy
    }

    private init<Value>(
        _ source: JSONKeyPath, _ path: any WritableKeyPath<Model, Value> & Sendable, acceptsNull: Bool = false,
        _ box: @escaping @Sendable (PlanBuilder) -> ValueBox
    ) {
        let property = Property(
            offset: MemoryLayout<Model>.offset(of: path), keyPath: { path },
            assign: { model, value in
                model.assumingMemoryBound(to: Model.self).pointee[keyPath: path] =
                    value.assumingMemoryBound(to: Value.self).move()
            },
            reset: { model, fresh in
                model.assumingMemoryBound(to: Model.self).pointee[keyPath: path] =
                    fresh.assumingMemoryBound(to: Model.self).pointee[keyPath: path]
            })
        definition = RuleDefinition(source: source, destination: { property.name }) { builder in
            property.entry(box(builder), acceptsNull: acceptsNull, builder)
        }
    }
}

// MARK: By the mapping of the destination's type

extension Relationship {
    /// To one: an object.
    public init<Value: Mappable>(_ source: JSONKeyPath, _ property: any WritableKeyPath<Model, Value> & Sendable) {
        self.init(source, property) { $0.object(Value.self) }
    }

    /// To one or none: an object or null.
    public init<Value: Mappable>(_ source: JSONKeyPath, _ property: any WritableKeyPath<Model, Value?> & Sendable) {
        self.init(source, property, acceptsNull: true) { OptionalBox<Value>($0.object(Value.self)) }
    }

    /// To many: an array of objects.
    public init<Value: Mappable>(_ source: JSONKeyPath, _ property: any WritableKeyPath<Model, [Value]> & Sendable) {
        self.init(source, property) { PlanBuilder.list($0.object(Value.self), Value.self) }
    }

    /// To many or nil: an array of objects or null.
    public init<Value: Mappable>(_ source: JSONKeyPath, _ property: any WritableKeyPath<Model, [Value]?> & Sendable) {
        self.init(source, property, acceptsNull: true) {
            OptionalBox<[Value]>(PlanBuilder.list($0.object(Value.self), Value.self))
        }
    }

    /// To many without order: an array of objects.
    public init<Value: Mappable>(_ source: JSONKeyPath, _ property: any WritableKeyPath<Model, Set<Value>> & Sendable) {
        self.init(source, property) { SetBox<Value>(PlanBuilder.list($0.object(Value.self), Value.self)) }
    }

    /// To many without order, or nil: an array of objects or null.
    public init<Value: Mappable>(
        _ source: JSONKeyPath, _ property: any WritableKeyPath<Model, Set<Value>?> & Sendable
    ) {
        self.init(source, property, acceptsNull: true) {
            OptionalBox<Set<Value>>(SetBox<Value>(PlanBuilder.list($0.object(Value.self), Value.self)))
        }
    }
}

// MARK: By a mapping of one's choice

extension Relationship {
    /// To one: an object.
    public init<Value>(
        _ source: JSONKeyPath, _ property: any WritableKeyPath<Model, Value> & Sendable,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, property) { $0.object(mapping()) }
    }

    /// To one or none: an object or null.
    public init<Value>(
        _ source: JSONKeyPath, _ property: any WritableKeyPath<Model, Value?> & Sendable,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, property, acceptsNull: true) { OptionalBox<Value>($0.object(mapping())) }
    }

    /// To many: an array of objects.
    public init<Value>(
        _ source: JSONKeyPath, _ property: any WritableKeyPath<Model, [Value]> & Sendable,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, property) { PlanBuilder.list($0.object(mapping()), Value.self) }
    }

    /// To many or nil: an array of objects or null.
    public init<Value>(
        _ source: JSONKeyPath, _ property: any WritableKeyPath<Model, [Value]?> & Sendable,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, property, acceptsNull: true) {
            OptionalBox<[Value]>(PlanBuilder.list($0.object(mapping()), Value.self))
        }
    }

    /// To many without order: an array of objects.
    public init<Value: SendableMetatype>(
        _ source: JSONKeyPath, _ property: any WritableKeyPath<Model, Set<Value>> & Sendable,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, property) { SetBox<Value>(PlanBuilder.list($0.object(mapping()), Value.self)) }
    }

    /// To many without order, or nil: an array of objects or null.
    public init<Value: SendableMetatype>(
        _ source: JSONKeyPath, _ property: any WritableKeyPath<Model, Set<Value>?> & Sendable,
        _ mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
    ) {
        self.init(source, property, acceptsNull: true) {
            OptionalBox<Set<Value>>(SetBox<Value>(PlanBuilder.list($0.object(mapping()), Value.self)))
        }
    }
}

extension PlanBuilder {
    /// How an object becomes a value by the mapping of its type.
    fileprivate func object<Value: Mappable>(_: Value.Type) -> ObjectBox {
        let mapping = Value.mapping
        hold(mapping.storage)
        return mapping.storage.objects(ObjectIdentifier(Value.self), self)
    }

    /// How an object becomes a value by a mapping.
    fileprivate func object<Value>(_ mapping: Mapping<Value>) -> ObjectBox {
        hold(mapping.storage)
        return mapping.storage.objects(ObjectIdentifier(mapping.storage), self)
    }

    fileprivate static func list<Value>(_ box: ObjectBox, _: Value.Type) -> ListBox {
        ListBox(ElementType(Value.self), .value, box, skipsNull: true)
    }
}
