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
