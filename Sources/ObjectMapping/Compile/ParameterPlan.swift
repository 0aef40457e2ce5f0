/// How an argument's values are read.
///
/// For the library's own use: only it can make one, and only for the type that is read.
public struct ParameterPlan<Value>: Sendable {
    /// Reads over a value that is in memory.
    let operation: Operation
    /// The same for an optional of the type.
    let optional: Operation
    let acceptsNull: Bool
    /// Whether values are objects: null elements of lists are left out then.
    let isObject: Bool
    /// For lists of the type.
    let element: ElementType
    /// An optional's nil; nil for any other type.
    let none: (@Sendable () -> Value)?
    let box: @Sendable (PlanBuilder) -> ValueBox
    /// How the argument is written.
    let output: @Sendable (OutputBuilder) -> OutputBox

    init(
        operation: Operation = .value, optional: Operation = .value, acceptsNull: Bool = false, isObject: Bool = false,
        element: ElementType = ElementType(Value.self), none: (@Sendable () -> Value)? = nil,
        output: @escaping @Sendable (OutputBuilder) -> OutputBox, box: @escaping @Sendable (PlanBuilder) -> ValueBox
    ) {
        self.operation = operation
        self.optional = optional
        self.acceptsNull = acceptsNull
        self.isObject = isObject
        self.element = element
        self.none = none
        self.box = box
        self.output = output
    }

    /// An object.
    init(one objects: LazyMapping<Value>) { self.init(isObject: true, output: objects.output) { objects.objects($0) } }

    /// What the plan's entry does with a value; the slot is an optional, if the type is none.
    func entry(_ options: RuleOptions, _ builder: PlanBuilder) -> Entry {
        let plain = none == nil ? optional : operation
        var entry = Entry(operation: plain)
        entry.acceptsNull = acceptsNull
        guard plain == .value || !options.wrappers.isEmpty else { return entry }
        let box = options.wrapped(box(builder), builder)
        entry.operation = .value
        // Around the value of a type without nil lies one, until it is read; null is nothing such a type takes.
        entry.box = builder.keep(none == nil ? OptionalBox<Value>(box, passesNull: true) as ValueBox : box)
        return entry
    }
}

extension ParameterPlan {
    /// A value, or nil for null.
    init<Wrapped: SendableMetatype>(optional wrapped: ParameterPlan<Wrapped>) where Value == Wrapped? {
        self.init(
            operation: wrapped.optional, acceptsNull: true, none: { nil },
            output: { OptionalOutput<Wrapped>(wrapped.output($0)) }
        ) { builder in
            OptionalBox<Wrapped>(wrapped.box(builder))
        }
    }

    /// A list.
    init<Element>(array element: ParameterPlan<Element>) where Value == [Element] {
        self.init(output: { ListOutput<Element>(element.output($0)) }) { builder in element.list(builder) }
    }

    /// A list without order.
    init<Element: SendableMetatype>(set element: ParameterPlan<Element>) where Value == Set<Element> {
        self.init(output: { SetOutput<Element>(element.output($0)) }) { builder in
            SetBox<Element>(element.list(builder))
        }
    }

    private func list(_ builder: PlanBuilder) -> ListBox {
        ListBox(element, operation, operation == .value ? box(builder) : nil, skipsNull: isObject)
    }
}
