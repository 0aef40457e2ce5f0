/// Reads, writes and compares the values of one type.
///
/// For internal use: only the library creates plans, and only for the type itself.
public struct ValuePlan<Value>: Sendable {
    @usableFromInline let typed: TypedValuePlan<Value>

    init(_ typed: TypedValuePlan<Value>) { self.typed = typed }

    /// Reads objects with a mapping.
    ///
    /// - Parameter shape: The arrangement in the declaration; only collections support others than `.element`. Defaults
    ///   to `.element`.
    @usableFromInline init(objects mapping: LazyMapping<Value>, each shape: ElementShape = .element) {
        typed = ObjectPlan(mapping, each: shape)
    }

    /// Reads and writes values with a conversion.
    @usableFromInline init(_ conversion: Conversion<Value>) { typed = ConvertedPlan(conversion) }
}

/// A `ValuePlan` of any type.
///
/// For internal use: the compiler rejects requirements with a `ValuePlan<Self>` for a class that is not final.
public struct ErasedValuePlan: Sendable {
    fileprivate let plan: AnyValuePlan

    @usableFromInline init<Value>(_ plan: ValuePlan<Value>) { self.plan = plan.typed }
}

extension ValuePlan {
    /// Unwraps the plan of the type itself.
    @usableFromInline init(_ erased: ErasedValuePlan) {
        typed = erased.plan as? TypedValuePlan<Value> ?? ForeignPlan()
    }
}

/// The plan of a type that wrongly returns the plan of another type.
private final class ForeignPlan<Value>: TypedValuePlan<Value>, @unchecked Sendable {  // immutable
    override var mistake: PlanMistake? {
        PlanMistake(expected: "a plan of \(Value.self)", found: "the plan of another type")
    }
}

/// Reads, writes and compares values of any type.
@usableFromInline class AnyValuePlan: @unchecked Sendable {  // immutable: has constants only
    /// Reads over a value in memory; `.value` if that requires a box.
    let operation: Operation
    /// The operation for an optional of the type.
    let optional: Operation
    let acceptsNull: Bool

    init(_ operation: Operation = .value, optional: Operation = .value, acceptsNull: Bool = false) {
        self.operation = operation
        self.optional = optional
        self.acceptsNull = acceptsNull
    }

    /// Whether values are objects that a mapping reads, or contain such objects.
    var readsObjects: Bool { false }

    /// Whether a blank string is null for an optional of the type.
    var isBlankNil: Bool { false }

    /// An error in the declaration of the values.
    var mistake: PlanMistake? { nil }

    /// Returns the identity of an element for the policy `union`.
    func elementIdentity() -> (Any) -> AnyHashable? { { $0 as? AnyHashable } }

    // MARK: Rows

    /// The type of the column for the values.
    var columnType: AttributeType { AttributeType(.json) }

    /// Whether a column of that type reads values like the type itself.
    var isColumnExact: Bool { false }

    /// Whether values are lists without null elements.
    var refusesNullElements: Bool { false }

    /// The arrangement of the objects in a collection; `nil` for other values.
    var listShape: ElementShape? { nil }

    /// Whether values are objects, or one collection of objects.
    var isObjectOrList: Bool { false }

    /// Creates the box that reads each object of a value.
    func objects(_ builder: PlanBuilder) -> ObjectBox? { nil }

    /// Creates the entry that reads a value into a slot of a row.
    func slot(_ index: Int, of rule: RuleStorage, _ builder: PlanBuilder) -> Entry { Entry(operation: .slot) }

    // MARK: Requirements of rules

    /// Whether a value is an array or a set, optional or not.
    var isCollection: Bool { false }

    /// Whether the type is an optional: a missing argument is `nil`.
    var isOptional: Bool { false }

    /// Creates the entry of a rule that sets a property.
    func entry(of rule: RuleStorage, in property: Property, _ builder: PlanBuilder) -> Entry {
        Entry(operation: .value)
    }

    /// Creates the entry of a rule that reads an argument.
    func argument(of rule: RuleStorage, _ builder: PlanBuilder) -> Entry { Entry(operation: .value) }

    /// Creates the entry that writes a property.
    func output(of property: Property, _ builder: OutputBuilder) -> OutputEntry {
        OutputEntry(operation: .value, key: builder.noKey)
    }

    /// Returns the objects of classes in a property of a model.
    func objects(in property: Property, of model: Memory) -> [AnyObject] { [] }

    /// Whether a stored property is known to be equal in two models.
    func areSame(in property: Property, of one: Memory, _ other: Memory, depth: Int) -> Bool { false }

    /// Copies a property of a model; the returned closure restores it.
    func keep(_ property: Property, of model: Memory) -> (Memory) -> Void { { _ in } }

    /// Whether a property is equal in two models; `nil` for a type that is not `Equatable`.
    func areEqual(_ property: Property, of one: Memory, _ other: Memory) -> Bool? { nil }
}

/// An `AnyValuePlan` for a known type.
@usableFromInline class TypedValuePlan<Value>: AnyValuePlan, @unchecked Sendable {  // immutable
    /// Returns the `nil` of an optional; `nil` for any other type.
    var makeNil: (@Sendable () -> Value)? { nil }

    /// The type as an element of lists.
    var element: ElementType { ElementType(Value.self) }
    override final var isOptional: Bool { makeNil != nil }
    override final var isCollection: Bool { Value.self is any UnionCollection.Type }

    /// Creates the box for a value without a plain operation.
    func box(_ builder: PlanBuilder) -> ValueBox { ValueBox(size: 0, alignment: 1) }

    /// Creates the box that writes a value.
    func output(_ builder: OutputBuilder) -> OutputBox { OutputBox() }

    /// Returns the objects of classes in a value.
    func objects(in value: Memory) -> [AnyObject] { [] }

    final func areSame(_ one: Value, _ other: Value, depth: Int) -> Bool {
        withMemory(of: one) { one in withMemory(of: other) { areSame(one, $0, depth: depth) } }
    }

    /// Whether replacing one value with the other is known to have no effect.
    ///
    /// - Parameter depth: The number of models around the values.
    func areSame(_ one: Memory, _ other: Memory, depth: Int) -> Bool {
        func compare<Equal: Equatable>(_: Equal.Type) -> Bool { one[as: Equal.self] == other[as: Equal.self] }
        guard let type = Value.self as? any Equatable.Type, compare(type) else { return false }
        // Strings with different bytes can be equal, and values can be equal by identity alone; numbers, Booleans and
        // dates cannot.
        if Value.self == String.self {
            return ExactText(text: one[as: String.self]) == ExactText(text: other[as: String.self])
        }
        if operation != .value { return true }
        if Value.self == [String].self {
            return zip(one[as: [String].self], other[as: [String].self]).allSatisfy {
                ExactText(text: $0) == ExactText(text: $1)
            }
        }
        guard let one = try? json(one), let other = try? json(other) else { return false }
        return one == other
    }

    override final func entry(of rule: RuleStorage, in property: Property, _ builder: PlanBuilder) -> Entry {
        let value = value(of: rule, builder)
        if rule.options.policy == .union, let union = Value.self as? any UnionCollection.Type {
            return property.entry(
                value, Assignment(adding: property, union, elementIdentity()), isAdded: true, builder)
        }
        return property.entry(value, Assignment(property, Value.self) { self.areSame($0, $1, depth: 0) }, builder)
    }

    override final func argument(of rule: RuleStorage, _ builder: PlanBuilder) -> Entry {
        let options = rule.options
        // A value of a type without `nil` is wrapped in an optional until it is read.
        let plain = isOptional ? operation : optional
        var entry = Entry(operation: plain, acceptsNull: acceptsNull)
        guard plain == .value || !options.wrappers.isEmpty else { return entry }
        let box = flattened(self.box(builder), of: rule, builder)
        entry.operation = .value
        entry.box = builder.keep(isOptional ? box : OptionalBox<Value>(box, passesNull: true) as ValueBox)
        return entry
    }

    /// Returns the reader of a value, as determined by the type and the rule's modifiers.
    final func value(of rule: RuleStorage, _ builder: PlanBuilder) -> PlannedValue {
        let options = rule.options
        if operation != .value, options.wrappers.isEmpty, !options.hasFallback {
            return PlannedValue(operation: operation, acceptsNull: acceptsNull)
        }
        var box = flattened(self.box(builder), of: rule, builder)
        if options.hasFallback {
            _ = builder.keep(box)
            box = FallbackBox<Value>(box, options)
        }
        return PlannedValue(box: box, acceptsNull: acceptsNull || options.makeDefault != nil)
    }

    /// Returns a box with the modifiers of the rule; a rule for the object itself reads other keys of it.
    private func flattened(_ inner: ValueBox, of rule: RuleStorage, _ builder: PlanBuilder) -> ValueBox {
        let box = rule.options.wrapped(inner, builder)
        guard rule.source.isCurrentValue, let objects = inner.flatObjects else { return box }
        _ = builder.keep(box)
        builder.flatten(by: objects.node, isList: isCollection)
        return FlattenedObjectBox(box, objects.node)
    }

    override final func slot(_ index: Int, of rule: RuleStorage, _ builder: PlanBuilder) -> Entry {
        slotEntry(index, of: rule, builder)
    }

    /// Returns a value as JSON, for storage in another form.
    ///
    /// - Throws: The error of a conversion.
    func json(_ value: Memory) throws -> JSON { .null }

    override final func output(of property: Property, _ builder: OutputBuilder) -> OutputEntry {
        var entry = OutputEntry(operation: .value, key: builder.noKey)
        let box = output(builder)
        if let offset = property.offset {
            entry.operation = box.operation
            entry.offset = offset
            entry.box = builder.keep(box)
        } else {
            _ = builder.keep(box)
            entry.box = builder.keep(LoadedOutput(box, property, Value.self))
        }
        return entry
    }

    override final func objects(in property: Property, of model: Memory) -> [AnyObject] {
        guard readsObjects else { return [] }
        return withMemory(of: property.value(Value.self, of: model)) { objects(in: $0) }
    }

    override final func areSame(in property: Property, of one: Memory, _ other: Memory, depth: Int) -> Bool {
        guard let offset = property.offset else { return false }
        return areSame(one + offset, other + offset, depth: depth)
    }

    override final func areEqual(_ property: Property, of one: Memory, _ other: Memory) -> Bool? {
        func compare<Equal: Equatable>(_: Equal.Type) -> Bool {
            let (one, other) = (property.value(Equal.self, of: one), property.value(Equal.self, of: other))
            // Dates are written with milliseconds.
            if let one = one as? Date, let other = other as? Date { return abs(one.timeIntervalSince(other)) < 0.001 }
            return one == other
        }
        return (Value.self as? any Equatable.Type).map { compare($0) }
    }

    override final func keep(_ property: Property, of model: Memory) -> (Memory) -> Void {
        property.keep(Value.self, of: model)
    }
}

/// The reader of a value, before its storage is known.
struct PlannedValue {
    var operation = Operation.value
    /// `nil` if the operation reads it.
    var box: ValueBox?
    var acceptsNull: Bool
}
