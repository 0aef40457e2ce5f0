/// An attribute with a list of values: an array or a set, or an optional of one.
public protocol QueryList {
    /// The type of the elements.
    associatedtype QueryElement
    /// Returns a list with one element.
    static func list(of element: QueryElement) -> Self
}

extension Array: QueryList {
    /// Returns a list with one element.
    public static func list(of element: Element) -> [Element] { [element] }
}

extension Set: QueryList {
    /// Returns a set with one element.
    public static func list(of element: Element) -> Set<Element> { [element] }
}

extension Optional: QueryList where Wrapped: QueryList {
    /// Returns a list with one element.
    public static func list(of element: Wrapped.QueryElement) -> Wrapped? { Wrapped.list(of: element) }
}

/// Conditions for the list of an attribute.
///
/// ```swift
/// Product.where { $0.tags.contains("eco") && $0.tags.count > 2 }
/// ```
extension QueryValue where Value: QueryList {
    /// Whether the list contains an element, compared like a single value: texts by their bytes, decimals as numbers;
    /// false for `nil`.
    public func contains(_ element: Value.QueryElement) -> QueryPredicate<Root> {
        if case .attribute(let attribute) = operand.target, Self.isAboveRange(element, attribute) {
            return QueryPredicate(operand.path.problem.map { .invalid($0) } ?? .constant(false))
        }
        guard case .text(let list)? = encoded(Value.list(of: element)) else { return QueryPredicate(.invalid(problem)) }
        return QueryPredicate(.element(operand, list))
    }

    /// Whether the list has no elements; false for `nil`.
    public var isEmpty: QueryPredicate<Root> { count == 0 }

    /// The number of elements; `nil` for `nil`.
    public var count: QueryValue<Root, Int> {
        var operand = operand
        if case .attribute(let attribute) = operand.target {
            operand = QueryOperand(path: operand.path, target: .length(attribute))
        }
        return QueryValue<Root, Int>(operand: operand)
    }
}
