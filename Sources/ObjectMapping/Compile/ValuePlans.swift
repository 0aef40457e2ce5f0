/// The values of a type that implements its own conversion.
final class ConvertiblePlan<Value: JSONConvertible>: TypedValuePlan<Value>, @unchecked Sendable {  // immutable
    private let makeElement: () -> ElementType
    private let makeBox: () -> ValueBox

    // Inlined, so that the closures are created where the type is known.
    @inline(__always)
    convenience init(
        _ operation: Operation = .value, optional: Operation = .value, box: @escaping () -> ValueBox
    ) { self.init(operation, optional, { ElementType(Value.self) }, box) }

    private init(
        _ operation: Operation, _ optional: Operation, _ element: @escaping () -> ElementType,
        _ box: @escaping () -> ValueBox
    ) {
        makeElement = element
        makeBox = box
        super.init(operation, optional: optional)
    }

    override var element: ElementType { makeElement() }
    override var columnType: AttributeType { Self.knownColumnType ?? Value.rawColumnType ?? AttributeType(.json) }
    override var isColumnExact: Bool { Self.isColumnExact }
    override func json(_ value: Memory) throws -> JSON { try value[as: Value.self].encodedJSON() }
    override func box(_ builder: PlanBuilder) -> ValueBox { makeBox() }
    override func output(_ builder: OutputBuilder) -> OutputBox { Value.valueOutput.box() }
}

extension ValuePlan where Value: JSONConvertible {
    /// Creates a plan for values without a plain operation.
    init(_ box: @escaping @autoclosure () -> ValueBox) { typed = ConvertiblePlan(box: box) }

    /// Creates a plan for values with a plain operation.
    @inline(__always) init(_ operation: Operation, optional: Operation) {
        typed = ConvertiblePlan(operation, optional: optional, box: { PlainBox<Value>(operation) })
    }
}

/// The values of a conversion.
final class ConvertedPlan<Value>: TypedValuePlan<Value>, @unchecked Sendable {  // immutable
    private let conversion: Conversion<Value>

    init(_ conversion: Conversion<Value>) {
        self.conversion = conversion
        super.init(acceptsNull: conversion.acceptsNull)
    }

    override var columnType: AttributeType { Self.knownType ?? AttributeType(.json) }

    /// The column type of a known type, which can be optional.
    private static var knownType: AttributeType? {
        let wrapped = (Value.self as? any WrappingType.Type)?.wrapped
        return knownColumnType ?? wrapped.flatMap { AttributeType.Scalar($0) }.map { AttributeType($0) }
    }

    override func json(_ value: Memory) throws -> JSON {
        // A known type has a single storage form, independent of how the conversion writes it.
        let value = value[as: Value.self]
        guard Self.knownType != nil, let known = value as? any JSONConvertible else {
            return try conversion.write(value)
        }
        return known.json
    }

    override var isBlankNil: Bool { conversion.isBlankNil }
    override var mistake: PlanMistake? { conversion.mistake }

    override func box(_ builder: PlanBuilder) -> ValueBox {
        conversion.plan?().typed.box(builder) ?? ConversionBox(conversion)
    }

    override func output(_ builder: OutputBuilder) -> OutputBox {
        TreeOutput(conversion.expectation, conversion.write)
    }
}

/// The objects of a mapping.
final class ObjectPlan<Value>: TypedValuePlan<Value>, @unchecked Sendable {  // immutable
    private let mapping: LazyMapping<Value>
    private let shape: ElementShape

    init(_ mapping: LazyMapping<Value>, each shape: ElementShape) {
        self.mapping = mapping
        self.shape = shape
        super.init()
    }

    override var readsObjects: Bool { true }
    override var isObjectOrList: Bool { true }
    override func objects(_ builder: PlanBuilder) -> ObjectBox? { mapping.objects(builder) }
    override var mistake: PlanMistake? { shape == .element ? nil : .noCollection(shape) }
    override func box(_ builder: PlanBuilder) -> ValueBox { mapping.objects(builder) }
    override func output(_ builder: OutputBuilder) -> OutputBox { mapping.output(builder) }
    override func elementIdentity() -> (Any) -> AnyHashable? { mapping.identity() }

    override func objects(in value: Memory) -> [AnyObject] {
        Value.self is AnyClass ? [value[as: Value.self] as AnyObject] : []
    }

    override func areSame(_ one: Memory, _ other: Memory, depth: Int) -> Bool {
        if Value.self is AnyClass { return one[as: Value.self] as AnyObject === other[as: Value.self] as AnyObject }
        // Models can be equal by identity alone, although other properties differ. Comparing deep ones takes too long.
        return depth < 4 && super.areSame(one, other, depth: depth) && mapping.areSame(one, other, depth: depth + 1)
    }
}

extension PlanMistake {
    /// The error of an arrangement for a property that is not a collection.
    fileprivate static func noCollection(_ shape: ElementShape) -> PlanMistake {
        PlanMistake(expected: "an array or a set for `each: .\(shape)`", found: "a property that holds one object")
    }
}

/// Values that wrap values of another type and forward to them by default.
@usableFromInline class WrappingPlan<Value>: TypedValuePlan<Value>, @unchecked Sendable {  // immutable
    private let inner: AnyValuePlan

    init(_ inner: AnyValuePlan, _ operation: Operation = .value, acceptsNull: Bool = false) {
        self.inner = inner
        super.init(operation, acceptsNull: acceptsNull)
    }

    override final var readsObjects: Bool { inner.readsObjects }
    override var mistake: PlanMistake? { inner.mistake }
    override var columnType: AttributeType { inner.columnType }
    override var refusesNullElements: Bool { inner.refusesNullElements }
    override var listShape: ElementShape? { inner.listShape }
    override var isObjectOrList: Bool { inner.isObjectOrList }
    override func objects(_ builder: PlanBuilder) -> ObjectBox? { inner.objects(builder) }
    override func elementIdentity() -> (Any) -> AnyHashable? { inner.elementIdentity() }
}

/// Null or a value of another type.
final class OptionalPlan<Wrapped>: WrappingPlan<Wrapped?>, @unchecked Sendable {  // immutable
    private let wrapped: TypedValuePlan<Wrapped>
    private let shape: ElementShape

    init(_ wrapped: TypedValuePlan<Wrapped>, each shape: ElementShape) {
        self.wrapped = wrapped
        self.shape = shape
        super.init(wrapped, wrapped.optional, acceptsNull: true)
    }

    override var makeNil: (@Sendable () -> Wrapped?)? { { nil } }
    override var isColumnExact: Bool { wrapped.isColumnExact && !wrapped.isOptional }

    override func objects(in value: Memory) -> [AnyObject] {
        value[as: Wrapped?.self].map { withMemory(of: $0) { wrapped.objects(in: $0) } } ?? []
    }

    override func json(_ value: Memory) throws -> JSON {
        try value[as: Wrapped?.self].map { try withMemory(of: $0) { try wrapped.json($0) } } ?? .null
    }

    override var mistake: PlanMistake? {
        wrapped.mistake ?? (shape == .element || wrapped.isCollection ? nil : .noCollection(shape))
    }

    override func output(_ builder: OutputBuilder) -> OutputBox { OptionalOutput<Wrapped>(wrapped.output(builder)) }

    override func box(_ builder: PlanBuilder) -> ValueBox {
        OptionalBox<Wrapped>(wrapped.box(builder), passesNull: wrapped.acceptsNull, isBlankNil: wrapped.isBlankNil)
    }

    override func areSame(_ one: Memory, _ other: Memory, depth: Int) -> Bool {
        switch (one[as: Wrapped?.self], other[as: Wrapped?.self]) {
        case (nil, nil): true
        case (let one?, let other?): wrapped.areSame(one, other, depth: depth)
        default: false
        }
    }
}

/// An array of values of another type.
@usableFromInline
final class ListPlan<Element>: WrappingPlan<[Element]>, @unchecked Sendable {  // immutable
    fileprivate let content: TypedValuePlan<Element>
    private let type: ElementType
    fileprivate let shape: ElementShape

    @usableFromInline init(_ content: TypedValuePlan<Element>, _ type: ElementType, each shape: ElementShape) {
        self.content = content
        self.type = type
        self.shape = shape
        super.init(content)
    }

    override var isColumnExact: Bool { content.isColumnExact && !content.columnType.isList }
    override var refusesNullElements: Bool { !content.acceptsNull }
    override var listShape: ElementShape? { shape }
    override var isObjectOrList: Bool { content.isObjectOrList && content.listShape == nil }
    override func box(_ builder: PlanBuilder) -> ValueBox { list(builder) }

    override var columnType: AttributeType {
        let type = content.columnType
        return type.isList ? AttributeType(.json) : AttributeType(type.scalar, isList: true)
    }

    override func objects(in value: Memory) -> [AnyObject] { objects(in: value[as: [Element].self]) }

    fileprivate func objects(in elements: some Sequence<Element>) -> [AnyObject] {
        elements.flatMap { withMemory(of: $0) { content.objects(in: $0) } }
    }

    override func json(_ value: Memory) throws -> JSON { try json(of: value[as: [Element].self]) }

    fileprivate func json(of elements: some Sequence<Element>) throws -> JSON {
        .array(try elements.map { try withMemory(of: $0) { try content.json($0) } })
    }

    override var mistake: PlanMistake? {
        switch shape {
        case .element: content.mistake
        case .member where content is ObjectPlan<Element>: content.mistake
        case .member: PlanMistake(expected: "objects for `each: .member`", found: "a list of \(Element.self)")
        case .line:
            PlanMistake(expected: "`each: .element` or `each: .member` in a relationship", found: "`each: .line`")
        }
    }

    override func output(_ builder: OutputBuilder) -> OutputBox {
        ListOutput<Element>(content.output(builder), each: shape)
    }

    override func areSame(_ one: Memory, _ other: Memory, depth: Int) -> Bool {
        guard readsObjects else { return super.areSame(one, other, depth: depth) }
        let (one, other) = (one[as: [Element].self], other[as: [Element].self])
        return one.count == other.count
            && zip(one, other).allSatisfy { content.areSame($0, $1, depth: depth) }
    }

    fileprivate func list(_ builder: PlanBuilder) -> ListBox {
        let box = content.operation == .value ? content.box(builder) : nil
        if let objects = box as? ObjectBox { return ListBox(type, objects, each: shape) }
        return ListBox(
            type, content.operation, box, skipsNull: content.readsObjects && !content.acceptsNull)
    }
}

/// A set of values of another type.
@usableFromInline
final class SetPlan<Element: Hashable>: WrappingPlan<Set<Element>>, @unchecked Sendable {  // immutable
    private let list: ListPlan<Element>

    @usableFromInline init(_ list: ListPlan<Element>) {
        self.list = list
        super.init(list)
    }

    override func objects(in value: Memory) -> [AnyObject] { list.objects(in: value[as: Set<Element>.self]) }
    override func json(_ value: Memory) throws -> JSON { try list.json(of: value[as: Set<Element>.self]) }
    override func box(_ builder: PlanBuilder) -> ValueBox { SetBox<Element>(list.list(builder)) }

    override func output(_ builder: OutputBuilder) -> OutputBox {
        SetOutput<Element>(list.content.output(builder), each: list.shape)
    }

    override func areSame(_ one: Memory, _ other: Memory, depth: Int) -> Bool {
        let (one, other) = (one[as: Set<Element>.self], other[as: Set<Element>.self])
        return one.count == other.count
            && one.allSatisfy { value in
                other.firstIndex(of: value).map { list.content.areSame(value, other[$0], depth: depth) } ?? false
            }
    }
}

/// An object whose keys are data.
final class DictionaryPlan<Key: Hashable & CodingKeyRepresentable, Content>: TypedValuePlan<[Key: Content]>,
    @unchecked Sendable  // immutable
{
    private let content: TypedValuePlan<Content>
    private let shape: ElementShape

    init(_ content: TypedValuePlan<Content>, each shape: ElementShape) {
        self.content = content
        self.shape = shape
        super.init()
    }

    override var readsObjects: Bool { content.readsObjects }
    override var mistake: PlanMistake? {
        if shape == .element { return content.mistake }
        return PlanMistake(expected: "a dictionary without `each:`", found: "`each: .\(shape)`")
    }

    override func objects(in value: Memory) -> [AnyObject] {
        value[as: [Key: Content].self].values.flatMap { withMemory(of: $0) { content.objects(in: $0) } }
    }

    override func areSame(_ one: Memory, _ other: Memory, depth: Int) -> Bool {
        guard readsObjects else { return super.areSame(one, other, depth: depth) }
        let (one, other) = (one[as: [Key: Content].self], other[as: [Key: Content].self])
        return one.count == other.count
            && one.allSatisfy { key, value in
                other[key].map { content.areSame(value, $0, depth: depth) } ?? false
            }
    }

    override func json(_ value: Memory) throws -> JSON {
        try .members(value[as: [Key: Content].self]) { try withMemory(of: $0) { try content.json($0) } }
    }

    override func box(_ builder: PlanBuilder) -> ValueBox {
        DictionaryBox<Key, Content>(content.box(builder), skipsNull: content.readsObjects && !content.acceptsNull)
    }

    override func output(_ builder: OutputBuilder) -> OutputBox {
        DictionaryOutput<Key, Content>(content.output(builder))
    }
}
