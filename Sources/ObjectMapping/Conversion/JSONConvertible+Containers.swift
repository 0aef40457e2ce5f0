extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    /// The value, or nil for null.
    public init?(json: JSON) {
        guard !json.isNull else {
            self = nil as Wrapped?
            return
        }
        guard let value = Wrapped(json: json) else { return nil }
        self = .some(value)
    }

    /// The value, or null for nil.
    public var json: JSON { self?.json ?? .null }

    /// Reads as the wrapped type is read.
    public static var valuePlan: ValuePlan<Self> {
        let wrapped = Wrapped.valuePlan
        let box = { OptionalBox<Wrapped>(wrapped.box()) as ValueBox }
        return ValuePlan(wrapped.optional, optional: .value, acceptsNull: true, box)
    }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    /// Every element converted; a lone value is a list of one.
    public init?(json: JSON) {
        var elements: [Element] = []
        for value in json.array ?? [json] {
            guard let element = Element(json: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    /// The elements.
    public var json: JSON { .array(map(\.json)) }

    /// Reads lists without a detour.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(list) }

    fileprivate static var list: ListBox {
        let element = Element.valuePlan
        return ListBox(element.element, element.operation, element.operation == .value ? element.box() : nil)
    }
}

extension Set: JSONConvertible where Element: JSONConvertible {
    /// Every element converted; repeated ones count once.
    public init?(json: JSON) {
        guard let elements = [Element](json: json) else { return nil }
        self = Set(elements)
    }

    /// The elements, in no order.
    public var json: JSON { .array(map(\.json)) }

    /// Reads lists without a detour.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(SetBox<Element>([Element].list)) }
}
