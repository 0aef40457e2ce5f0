/// Whether two values in memory are equal; values of types without equality never are.
func areEqual<Value>(_: Value.Type) -> (Memory, Memory) -> Bool {
    func compare<Equal: Equatable>(_: Equal.Type) -> (Memory, Memory) -> Bool {
        { $0.assumingMemoryBound(to: Equal.self).pointee == $1.assumingMemoryBound(to: Equal.self).pointee }
    }
    return (Value.self as? any Equatable.Type).map { compare($0) } ?? { _, _ in false }
}

/// Whether two values in memory hold the same objects in the same order, or are both nil or empty.
///
/// Models are not asked whether they are equal: many are by their identity, whatever else has changed.
///
/// - Parameter models: The models that a value holds; nil for nil.
func areIdentical<Value, Model>(_ models: @escaping (Value) -> [Model]?) -> (Memory, Memory) -> Bool {
    let isObject = Model.self is AnyClass
    return { one, other in
        switch (
            models(one.assumingMemoryBound(to: Value.self).pointee),
            models(other.assumingMemoryBound(to: Value.self).pointee)
        ) {
        case (nil, nil): true
        case (let one?, let other?):
            one.count == other.count
                && zip(one, other).allSatisfy { isObject && ($0 as AnyObject) === ($1 as AnyObject) }
        default: false
        }
    }
}
