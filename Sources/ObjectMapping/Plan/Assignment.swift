/// How a property gets values by closures: of a class, or a computed or observed one.
struct Assignment {
    /// Moves a value out of the second memory into the property of the model in the first.
    let assign: (Memory, Memory) -> Void
    /// The same for a model that was there before: a value that the property has already is not written.
    let update: (Memory, Memory) -> Void
    /// Gives the property of the model in the first memory the value that it has in the second.
    let reset: (Memory, Memory) -> Void

    /// One that writes every value.
    init(_ property: Property) {
        assign = property.assign
        update = property.assign
        reset = property.reset
    }

    /// One that compares first where there is something to compare with.
    ///
    /// - Parameter areSame: Whether the values in two memories are the same.
    init<Value>(_ property: Property, _: Value.Type, _ areSame: @escaping (Memory, Memory) -> Bool) {
        let update: (Memory, Memory) -> Void = { model, new in
            withLoaded(Value.self, property, model) { present in
                if areSame(present, new) {
                    new.deinitialize(as: Value.self)
                } else {
                    property.assign(model, new)
                }
            }
        }
        assign = property.assign
        self.update = update
        reset = { model, fresh in
            withValueMemory(MemoryLayout<Value>.size, MemoryLayout<Value>.alignment) { new in
                property.load(fresh, new)
                update(model, new)
            }
        }
    }

    /// One that adds the elements of a value to those that the property has.
    ///
    /// - Parameter identity: What tells an element from others; nil for one that is like no other.
    init<Value: UnionCollection>(
        adding property: Property, _: Value.Type, _ identity: @escaping (Any) -> AnyHashable?
    ) {
        assign = { model, new in
            withLoaded(Value.self, property, model) { present in
                var sum = present[as: Value.self]
                sum.add(new[as: Value.self], identity)
                new[as: Value.self] = sum
            }
            property.assign(model, new)
        }
        update = assign
        reset = property.reset
    }
}

/// Calls a closure with a copy of a property's value.
private func withLoaded<Value>(_: Value.Type, _ property: Property, _ model: Memory, _ body: (Memory) -> Void) {
    withValueMemory(MemoryLayout<Value>.size, MemoryLayout<Value>.alignment) { value in
        property.load(model, value)
        body(value)
        value.deinitialize(as: Value.self)
    }
}
