/// How the values of a type are read: by a plain operation or by a box.
///
/// For the library's own use: only it can make one, and only for the type that is read.
public struct ValuePlan<Value>: Sendable {
    let reading: ValueReading

    /// A type of which no operation knows.
    init(_ box: @escaping @autoclosure () -> ValueBox, acceptsNull: Bool = false) {
        self.init(.value, optional: .value, acceptsNull: acceptsNull, box)
    }

    @inline(__always)
    init(
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
