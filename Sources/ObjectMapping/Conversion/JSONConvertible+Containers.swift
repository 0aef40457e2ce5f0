extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    /// The value, or nil for null; of an optional in an optional the inner one is nil then.
    public init?(json: JSON) {
        guard !json.isNull || Wrapped.valuePlan.reading.acceptsNull else {
            self = nil as Wrapped?
            return
        }
        guard let value = Wrapped(json: json) else { return nil }
        self = .some(value)
    }

    /// The value, or null for nil; an optional in an optional is absent if the outer one is nil.
    public var json: JSON { self?.json ?? (Wrapped.valuePlan.reading.acceptsNull ? .absent : .null) }

    /// Reads as the wrapped type is read.
    public static var valuePlan: ValuePlan<Self> {
        let wrapped = Wrapped.valuePlan.reading
        return ValuePlan(wrapped.optional, optional: .value, acceptsNull: true) {
            OptionalBox<Wrapped>(wrapped.box(), passesNull: wrapped.acceptsNull)
        }
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
        let element = Element.valuePlan.reading
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

extension Dictionary: JSONConvertible, ParameterValue where Key: CodingKeyRepresentable, Value: JSONConvertible {
    /// Every value converted; keys are texts, integers or enums of such that are `CodingKeyRepresentable`.
    public init?(json: JSON) {
        guard let object = json.object else { return nil }
        self.init(minimumCapacity: object.count)
        for member in object {
            guard let key = Key(memberKey: member.key), let value = Value(json: member.value) else { return nil }
            self[key] = value
        }
    }

    /// An object, its members in the order of their keys' texts.
    public var json: JSON { .members(self, \.json) }

    /// Reads objects without a detour.
    public static var valuePlan: ValuePlan<Self> { ValuePlan(DictionaryBox<Key, Value>(Value.valuePlan.reading.box())) }
}
