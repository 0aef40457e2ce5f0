/// Computes the value of an operator over a collection, leaf by leaf.
struct CollectionFold {
    private let collection: CollectionOperator
    private var sum = NumberSum()
    private var best: JSON?
    /// Rounding preserves the order of numbers: only those that are equal as `Double` need an exact comparison.
    private var bestDouble: Double?
    private var values: [JSON] = []
    private var seen: Set<JSON> = []

    /// - Parameter capacity: The maximum number of leaves.
    init(_ collection: CollectionOperator, capacity: Int) {
        self.collection = collection
        if collection == .unionOfObjects { values.reserveCapacity(capacity) }
    }

    /// Adds a leaf that is neither absent nor null.
    ///
    /// - Throws: The mismatch of a leaf that the operator does not support, with its element's index.
    mutating func add(_ leaf: JSON, at index: Int) throws(OperatorMismatch) {
        switch collection {
        case .count: break
        case .sum, .avg:
            if !sum.add(leaf) {
                throw .of(leaf, at: index, expected: leaf.isNumber ? "a number within Double's range" : "a number")
            }
            guard sum.isFinite else {
                throw OperatorMismatch(
                    at: index, expected: "a sum within Double's range", found: "a sum outside the range at this number")
            }
        case .min, .max: try compare(leaf, at: index)
        case .unionOfObjects: values.append(leaf)
        case .distinctUnionOfObjects: addDistinct(leaf)
        case .unionOfArrays, .unionOfSets:
            for element in try elements(leaf, at: index) where element.isPresent { values.append(element) }
        case .distinctUnionOfArrays, .distinctUnionOfSets:
            for element in try elements(leaf, at: index) where element.isPresent { addDistinct(element) }
        }
    }

    /// Returns the result.
    ///
    /// - Parameter count: The number of elements, including those without a leaf.
    func value(over count: Int) -> JSON {
        switch collection {
        case .count: .integer(count)
        case .sum: sum.json
        case .avg: sum.average(over: count)
        case .min, .max: best ?? .null
        default: .array(values)
        }
    }

    private mutating func compare(_ leaf: JSON, at index: Int) throws(OperatorMismatch) {
        let double = leaf.double
        guard let best else {
            guard leaf.string != nil || leaf.isNumber else {
                throw .of(leaf, at: index, expected: "a number or a string")
            }
            (self.best, bestDouble) = (leaf, double)
            return
        }
        let isBetter: Bool
        if let double, let bestDouble, double != bestDouble {
            isBetter = collection == .min ? double < bestDouble : double > bestDouble
        } else if let isSmaller = leaf.isSmaller(than: best), let isLarger = best.isSmaller(than: leaf) {
            isBetter = collection == .min ? isSmaller : isLarger
        } else {
            throw .of(leaf, at: index, expected: "\(best.kindName), as before it")
        }
        if isBetter { (self.best, bestDouble) = (leaf, double) }
    }

    private mutating func addDistinct(_ value: JSON) { if seen.insert(value).inserted { values.append(value) } }

    private func elements(_ leaf: JSON, at index: Int) throws(OperatorMismatch) -> [JSON] {
        guard let elements = leaf.array else { throw .of(leaf, at: index, expected: "an array") }
        return elements
    }
}

extension OperatorMismatch {
    fileprivate static func of(_ leaf: JSON, at index: Int, expected: String) -> OperatorMismatch {
        OperatorMismatch(at: index, expected: expected, found: leaf.kindName)
    }
}

/// A collection operator of a key path, written with a leading `@`: `transactions.@avg.amount`.
///
/// The operators are those of key-value coding. The rest of the path is applied to each element of the array before the
/// operator; the results are the leaves. Over an absent collection, an operator is absent; over null, it is null. Over
/// other values it is absent, except that `@count` of an object is the number of its members.
public enum CollectionOperator: String, Sendable, CaseIterable {
    /// The number of elements; the rest of the path is ignored.
    case count
    /// The sum of numbers: exact in 128 bits if all are integers, otherwise a `Double`. Null and absent leaves count as
    /// 0.
    case sum
    /// The sum divided by the number of elements; 0 for an empty array. Null and absent leaves count as 0.
    case avg
    /// The smallest number or string, ignoring null and absent leaves; null if there are no others.
    case min
    /// The largest number or string, ignoring null and absent leaves; null if there are no others.
    case max
    /// The leaves, except for null and absent ones.
    case unionOfObjects
    /// The distinct leaves in order of their first occurrence (`1` and `1.0` are equal), except for null and absent
    /// ones.
    case distinctUnionOfObjects
    /// The elements of all leaves, which must be arrays; null and absent leaves are ignored.
    case unionOfArrays
    /// The distinct elements of all leaves, which must be arrays; null and absent leaves are ignored.
    case distinctUnionOfArrays
    /// The same as `unionOfArrays`: JSON has no sets.
    case unionOfSets
    /// The same as `distinctUnionOfArrays`: JSON has no sets.
    case distinctUnionOfSets
}
