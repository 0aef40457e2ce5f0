/// How the values of a type are read: by a plain operation or by a box.
///
/// For the library's own use: only it can make one, and only for the type that is read.
public struct ValuePlan<Value> {
    /// Reads over a value that is in memory.
    let operation: Operation
    /// The same for an optional of the type.
    let optional: Operation
    let acceptsNull: Bool
    /// For lists of the type.
    let element: ElementType
    let box: () -> ValueBox

    /// A type of which no operation knows.
    init(_ box: @escaping @autoclosure () -> ValueBox, acceptsNull: Bool = false) {
        self.init(.value, optional: .value, acceptsNull: acceptsNull, box)
    }

    @inline(__always)
    init(_ operation: Operation, optional: Operation, acceptsNull: Bool = false, _ box: @escaping () -> ValueBox) {
        self.operation = operation
        self.optional = optional
        self.acceptsNull = acceptsNull
        element = ElementType(Value.self)
        self.box = box
    }
}
