/// How the values of a type are read: by a plain operation or by a box.
///
/// For the library's own use: only it can make one, and only for the type that is read.
public struct ValuePlan<Value>: Sendable {
    let reading: ValueReading

    /// A type of which no operation knows.
    init(_ box: @escaping @autoclosure () -> ValueBox, acceptsNull: Bool = false) {
        self.init(.value, optional: .value, acceptsNull: acceptsNull, box)
    }

    @inline(__always) init(
        _ operation: Operation, optional: Operation, acceptsNull: Bool = false,
        _ box: @escaping () -> ValueBox
    ) {
        reading = ValueReading(operation, optional, acceptsNull, { ElementType(Value.self) }, box)
    }
}

/// How values are read, whatever their type: code that is not specialized for a type has no use for a `ValuePlan` of it.
final class ValueReading: @unchecked Sendable {  // guarded by having constants only; closures capture types
    /// Reads over a value that is in memory.
    let operation: Operation
    /// The same for an optional of the type.
    let optional: Operation
    let acceptsNull: Bool
    private let makeElement: () -> ElementType
    let box: () -> ValueBox

    init(
        _ operation: Operation, _ optional: Operation, _ acceptsNull: Bool,
        _ element: @escaping () -> ElementType, _ box: @escaping () -> ValueBox
    ) {
        self.operation = operation
        self.optional = optional
        self.acceptsNull = acceptsNull
        makeElement = element
        self.box = box
    }

    /// For lists of the type.
    var element: ElementType { makeElement() }
}

/// Whether two values in memory are equal; values of types without equality never are.
func areEqual<Value>(_: Value.Type) -> (Memory, Memory) -> Bool {
    { one, other in
        func compare<Equal: Equatable>(_: Equal.Type) -> Bool { one[as: Equal.self] == other[as: Equal.self] }
        // Asked here, not while the plan is made: only updates pay for it.
        return (Value.self as? any Equatable.Type).map { compare($0) } ?? false
    }
}

/// Whether two values in memory hold the same objects in the same order, or are both nil or empty.
///
/// Models are not asked whether they are equal: many are by their identity, whatever else has changed.
///
/// - Parameter models: The models that a value holds; nil for nil.
func areIdentical<Value, Model>(_ models: @escaping (Value) -> [Model]?) -> (Memory, Memory) -> Bool {
    { one, other in
        let present = models(one[as: Value.self])
        let new = models(other[as: Value.self])
        guard let present, let new else { return present == nil && new == nil }
        let isObject = Model.self is AnyClass
        return present.count == new.count
            && zip(present, new).allSatisfy { isObject && ($0 as AnyObject) === ($1 as AnyObject) }
    }
}
