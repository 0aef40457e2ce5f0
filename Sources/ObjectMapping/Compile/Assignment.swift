/// Sets a property with closures: of a class, or a computed or observed one.
struct Assignment {
    /// Moves a value out of the second memory into the property of the model in the first.
    let assign: (Memory, Memory) -> Void
    /// Assigns to an existing model, unless the property already has an equal value.
    let update: (Memory, Memory) -> Void
    /// Assigns a value of a merge patch, which replaces collections.
    let patch: (Memory, Memory) -> Void
    /// Assigns the value in the second memory to the property of the model in the first.
    let reset: (Memory, Memory) -> Void

    /// Creates an assignment that compares first if the model already existed.
    ///
    /// - Parameter areSame: Whether the values in two memories are equal.
    init<Value>(_ property: Property, _: Value.Type, _ areSame: @escaping (Memory, Memory) -> Bool) {
        let update: (Memory, Memory) -> Void = { model, new in
            if withMemory(of: property.value(Value.self, of: model), { areSame($0, new) }) {
                new.deinitialize(as: Value.self)
            } else {
                property.assign(model, new)
            }
        }
        assign = property.assign
        self.update = update
        patch = update
        reset = { model, fresh in
            withValueMemory(MemoryLayout<Value>.size, MemoryLayout<Value>.alignment) { new in
                property.load(fresh, new)
                update(model, new)
            }
        }
    }

    /// Creates an assignment that adds the elements of a value to those of the property.
    ///
    /// - Parameter identity: Returns the identity of an element; `nil` if it is unique.
    init<Value: UnionCollection>(
        adding property: Property, _: Value.Type, _ identity: @escaping (Any) -> AnyHashable?
    ) {
        assign = { model, new in
            var sum = property.value(Value.self, of: model)
            sum.add(new[as: Value.self], identity)
            new[as: Value.self] = sum
            property.assign(model, new)
        }
        update = assign
        patch = property.assign
        reset = property.reset
    }
}

/// A collection that supports the policy `union`.
protocol UnionCollection {
    static var empty: Self { get }

    /// Adds elements; an existing element is replaced by the new one.
    ///
    /// - Parameter identity: Returns the identity of an element; `nil` if it is unique.
    mutating func add(_ new: Self, _ identity: (Any) -> AnyHashable?)
}

extension Array: UnionCollection {
    static var empty: [Element] { [] }

    mutating func add(_ new: [Element], _ identity: (Any) -> AnyHashable?) {
        var places: [AnyHashable: Int] = [:]
        for (place, element) in enumerated() {
            if let key = identity(element) { places[key] = place }
        }
        for element in new {
            let key = identity(element)
            if let key, let place = places[key] {
                self[place] = element
            } else {
                if let key { places[key] = count }
                append(element)
            }
        }
    }
}

extension Set: UnionCollection {
    static var empty: Set { [] }

    mutating func add(_ new: Set, _ identity: (Any) -> AnyHashable?) {
        var known: [AnyHashable: Element] = [:]
        for element in self {
            if let key = identity(element) { known[key] = element }
        }
        for element in new {
            if let key = identity(element), let old = known[key] { remove(old) }
            update(with: element)
        }
    }
}

extension Optional: UnionCollection where Wrapped: UnionCollection {
    static var empty: Wrapped? { nil }

    mutating func add(_ new: Wrapped?, _ identity: (Any) -> AnyHashable?) {
        guard let new else { return }
        var sum = self ?? Wrapped.empty
        sum.add(new, identity)
        self = sum
    }
}
