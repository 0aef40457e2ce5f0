/// A collection to which the policy `union` adds.
protocol UnionCollection {
    static var empty: Self { get }

    /// Adds elements; one that is there already is not doubled, the new one takes its place.
    ///
    /// - Parameter identity: What tells an element from others; nil for one that is like no other.
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
