import ObjectMapping

/// The value of an attribute, or the number of objects in a relationship, in a query.
///
/// ```swift
/// ProjectTask.where { $0.hours > 3 && $0.name != "Paint" && $0.priority.isIn([1, 2]) }
/// ```
public struct QueryValue<Root: ManagedObject, Value>: Sendable {
    var operand: QueryOperand

    /// Sorts in ascending order, with `nil` first.
    public var ascending: QuerySort<Root> { QuerySort(operand: operand, isDescending: false) }

    /// Sorts in descending order, with `nil` last.
    public var descending: QuerySort<Root> { QuerySort(operand: operand, isDescending: true) }

    /// Whether the value is one of these.
    public func isIn(_ values: [Value]) -> QueryPredicate<Root> {
        var stored: [StoredValue] = []
        for value in values {
            guard let value = encoded(value) else { return QueryPredicate(.invalid(problem)) }
            if value != Self.aboveAllIntegers { stored.append(value) }
        }
        return QueryPredicate(operand.path.problem.map { .invalid($0) } ?? .membership(operand, stored))
    }

    /// Whether the value is equal to another one.
    public static func == (a: QueryValue, b: Value) -> QueryPredicate<Root> { a.compared(.equal, with: b) }

    /// Whether the value differs from another one; `nil` differs from all values.
    public static func != (a: QueryValue, b: Value) -> QueryPredicate<Root> { a.compared(.notEqual, with: b) }

    /// Whether the value is equal to that of another property.
    public static func == (a: QueryValue, b: QueryValue) -> QueryPredicate<Root> { a.compared(.equal, with: b) }

    /// Whether the value differs from that of another property.
    public static func != (a: QueryValue, b: QueryValue) -> QueryPredicate<Root> { a.compared(.notEqual, with: b) }

    /// Whether the value is `nil`, including that of an object that is `nil`.
    @_disfavoredOverload
    public static func == (a: QueryValue, b: _OptionalNilComparisonType) -> QueryPredicate<Root> {
        a.compared(.equal, withStored: .null)
    }

    /// Whether the value is not `nil`.
    @_disfavoredOverload
    public static func != (a: QueryValue, b: _OptionalNilComparisonType) -> QueryPredicate<Root> {
        a.compared(.notEqual, withStored: .null)
    }

    // MARK: Nodes

    func compared(_ comparison: QueryComparison, with value: Value) -> QueryPredicate<Root> {
        guard let value = encoded(value) else { return QueryPredicate(.invalid(problem)) }
        return compared(comparison, withStored: value)
    }

    func compared(_ comparison: QueryComparison, with other: QueryValue) -> QueryPredicate<Root> {
        guard let problem = operand.path.problem ?? other.operand.path.problem ?? operand.orderProblem(comparison)
        else {
            var other = other.operand
            other.folding = operand.folding
            return QueryPredicate(.operands(operand, comparison, other))
        }
        return QueryPredicate(.invalid(problem))
    }

    private func compared(_ comparison: QueryComparison, withStored value: StoredValue) -> QueryPredicate<Root> {
        let problem = operand.path.problem ?? operand.orderProblem(comparison)
        return QueryPredicate(problem.map { .invalid($0) } ?? .comparison(operand, comparison, value))
    }

    /// Returns the stored form of a value, folded; `nil` if it cannot be stored.
    func encoded(_ value: Value) -> StoredValue? {
        guard operand.path.problem == nil else { return nil }
        switch operand.target {
        case .count, .length: return (value as? Int).map { .integer(Int64($0)) }
        case .attribute(let attribute):
            let stored = (attribute as? TypedAttribute<Value>)?.encode(value)
            if !operand.folding.isEmpty, case .text(let text)? = stored { return .text(operand.folding.fold(text)) }
            return stored ?? (Self.isAboveRange(value, attribute) ? Self.aboveAllIntegers : nil)
        }
    }

    /// A number for comparisons that is greater than all integers in the store.
    private static var aboveAllIntegers: StoredValue { .real(.infinity) }

    /// Whether a value is an integer above `Int64.max`: no stored integer is equal to it.
    static func isAboveRange(_ value: Any, _ attribute: ManagedAttribute) -> Bool {
        guard attribute.type.scalar == .integer else { return false }
        let raw = (value as? any RawRepresentable)?.rawValue ?? value
        func isAbove(_ integer: some BinaryInteger) -> Bool { integer > Int64.max }
        return (raw as? any BinaryInteger).map { isAbove($0) } ?? false
    }

    var problem: StoreError {
        operand.path.problem
            ?? StoreError(
                .misuse,
                "a value that '\(operand.name)' is compared with cannot be stored (NaN, too large, or not encodable)")
    }
}

extension QueryValue where Value: Comparable {
    /// Whether the value is less than another one; false for `nil`.
    public static func < (a: QueryValue, b: Value) -> QueryPredicate<Root> { a.compared(.less, with: b) }
    /// Whether the value is less than or equal to another one; false for `nil`.
    public static func <= (a: QueryValue, b: Value) -> QueryPredicate<Root> { a.compared(.lessOrEqual, with: b) }
    /// Whether the value is greater than another one; false for `nil`.
    public static func > (a: QueryValue, b: Value) -> QueryPredicate<Root> { a.compared(.greater, with: b) }
    /// Whether the value is greater than or equal to another one; false for `nil`.
    public static func >= (a: QueryValue, b: Value) -> QueryPredicate<Root> { a.compared(.greaterOrEqual, with: b) }

    /// Whether the value is less than that of another property.
    public static func < (a: QueryValue, b: QueryValue) -> QueryPredicate<Root> { a.compared(.less, with: b) }
    /// Whether the value is less than or equal to that of another property.
    public static func <= (a: QueryValue, b: QueryValue) -> QueryPredicate<Root> { a.compared(.lessOrEqual, with: b) }
    /// Whether the value is greater than that of another property.
    public static func > (a: QueryValue, b: QueryValue) -> QueryPredicate<Root> { a.compared(.greater, with: b) }
    /// Whether the value is greater than or equal to that of another property.
    public static func >= (a: QueryValue, b: QueryValue) -> QueryPredicate<Root> {
        a.compared(.greaterOrEqual, with: b)
    }

    /// Whether the value is in a closed range.
    public func isIn(_ range: ClosedRange<Value>) -> QueryPredicate<Root> {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// Whether the value is in a half-open range.
    public func isIn(_ range: Range<Value>) -> QueryPredicate<Root> {
        self >= range.lowerBound && self < range.upperBound
    }

    /// Whether the value is in a closed range.
    public static func ~= (range: ClosedRange<Value>, a: QueryValue) -> QueryPredicate<Root> { a.isIn(range) }
    /// Whether the value is in a half-open range.
    public static func ~= (range: Range<Value>, a: QueryValue) -> QueryPredicate<Root> { a.isIn(range) }
}

extension QueryValue {
    /// Whether the value is less than another one; false for `nil`.
    public static func < <Wrapped: Comparable>(a: QueryValue, b: Wrapped) -> QueryPredicate<Root>
    where Value == Wrapped? { a.compared(.less, with: b) }
    /// Whether the value is less than or equal to another one; false for `nil`.
    public static func <= <Wrapped: Comparable>(a: QueryValue, b: Wrapped) -> QueryPredicate<Root>
    where Value == Wrapped? { a.compared(.lessOrEqual, with: b) }
    /// Whether the value is greater than another one; false for `nil`.
    public static func > <Wrapped: Comparable>(a: QueryValue, b: Wrapped) -> QueryPredicate<Root>
    where Value == Wrapped? { a.compared(.greater, with: b) }
    /// Whether the value is greater than or equal to another one; false for `nil`.
    public static func >= <Wrapped: Comparable>(a: QueryValue, b: Wrapped) -> QueryPredicate<Root>
    where Value == Wrapped? { a.compared(.greaterOrEqual, with: b) }

    /// Whether the value is in a closed range; false for `nil`.
    public func isIn<Wrapped: Comparable>(_ range: ClosedRange<Wrapped>) -> QueryPredicate<Root>
    where Value == Wrapped? { self >= range.lowerBound && self <= range.upperBound }
    /// Whether the value is in a half-open range; false for `nil`.
    public func isIn<Wrapped: Comparable>(_ range: Range<Wrapped>) -> QueryPredicate<Root>
    where Value == Wrapped? { self >= range.lowerBound && self < range.upperBound }

    /// Whether the value is in a closed range; false for `nil`.
    public static func ~= <Wrapped: Comparable>(range: ClosedRange<Wrapped>, a: QueryValue) -> QueryPredicate<Root>
    where Value == Wrapped? { a.isIn(range) }
    /// Whether the value is in a half-open range; false for `nil`.
    public static func ~= <Wrapped: Comparable>(range: Range<Wrapped>, a: QueryValue) -> QueryPredicate<Root>
    where Value == Wrapped? { a.isIn(range) }
}

extension QueryValue: QueryCondition where Value == Bool {
    /// Whether the value is true.
    public var predicate: QueryPredicate<Root> { self == true }

    /// Whether the value is false.
    public static prefix func ! (a: QueryValue) -> QueryPredicate<Root> { !(a == true) }
    /// Whether the value is true and a condition is met.
    public static func && (a: QueryValue, b: QueryPredicate<Root>) -> QueryPredicate<Root> { a == true && b }
    /// Whether a condition is met and the value is true.
    public static func && (a: QueryPredicate<Root>, b: QueryValue) -> QueryPredicate<Root> { a && b == true }
    /// Whether both values are true.
    public static func && (a: QueryValue, b: QueryValue) -> QueryPredicate<Root> { a == true && b == true }
    /// Whether at least one value is true.
    public static func || (a: QueryValue, b: QueryValue) -> QueryPredicate<Root> { a == true || b == true }
    /// Whether the value is true or a condition is met.
    public static func || (a: QueryValue, b: QueryPredicate<Root>) -> QueryPredicate<Root> { a == true || b }
    /// Whether a condition is met or the value is true.
    public static func || (a: QueryPredicate<Root>, b: QueryValue) -> QueryPredicate<Root> { a || b == true }
}

/// An attribute with text values: `String` or `String?`.
public protocol QueryText {}
extension String: QueryText {}
extension Optional: QueryText where Wrapped == String {}

extension QueryValue where Value: QueryText {
    /// Whether the text begins with a prefix.
    public func hasPrefix(_ prefix: String) -> QueryPredicate<Root> { tested(.prefix, prefix) }

    /// Whether the text ends with a suffix.
    public func hasSuffix(_ suffix: String) -> QueryPredicate<Root> { tested(.suffix, suffix) }

    /// Whether the text is empty; false for `nil`.
    public var isEmpty: QueryPredicate<Root> { compared(.equal, withStored: .text("")) }

    /// Whether the text contains a string.
    public func contains(_ part: String) -> QueryPredicate<Root> { tested(.contains, part) }

    /// Whether the text matches a pattern, in which `%` is any text, `_` one character, and `\` escapes these
    /// characters.
    public func like(_ pattern: String) -> QueryPredicate<Root> { tested(.like, pattern) }

    /// Whether the whole text matches a regular expression.
    ///
    /// ```swift
    /// ProjectTask.where { $0.name.matches(#"Build \d+"#) }
    /// ```
    public func matches(_ pattern: String) -> QueryPredicate<Root> { tested(.matches, pattern) }

    /// The text for comparisons that ignore case.
    public var caseInsensitive: QueryValue { folded(.case) }

    /// The text for comparisons that ignore diacritics of Latin, Greek and Cyrillic letters.
    public var diacriticInsensitive: QueryValue { folded(.diacritics) }

    /// The text for comparisons that ignore case and diacritics.
    ///
    /// ```swift
    /// User.where { $0.name.folded.hasPrefix("rene") }     // finds "René"
    /// ```
    public var folded: QueryValue { folded([.case, .diacritics]) }

    private func folded(_ folding: TextFolding) -> QueryValue {
        var value = self
        value.operand.folding.formUnion(folding)
        return value
    }

    private func tested(_ test: QueryTextTest, _ argument: String) -> QueryPredicate<Root> {
        if let problem = operand.path.problem { return QueryPredicate(.invalid(problem)) }
        if case .matches = test {
            do {
                _ = try TextPattern(regularExpression: argument, operand.folding)
            } catch {
                return QueryPredicate(.invalid(error))
            }
        }
        // A regular expression handles folding itself: its classes, such as \S, are not letters.
        let argument = if case .matches = test { argument } else { operand.folding.fold(argument) }
        return QueryPredicate(.text(operand, test, argument))
    }
}
