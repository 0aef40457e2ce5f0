/// What a key path may compute of a collection, spelled with `@` in front: `transactions.@avg.amount`.
///
/// The operators are those of key-value coding. The rest of the path is followed from each element of the array before
/// the operator; what it leads to are the leaves. Over an absent collection an operator is absent, over null it is
/// null. Over values that are no arrays it is absent, only `@count` of an object is the number of its members.
public enum CollectionOperator: String, Sendable, CaseIterable {
    /// The number of elements; whatever follows it in the path is ignored.
    case count
    /// The sum of numbers: exact in 128 bits if all are integers, else a `Double`. Null and absent leaves count as 0.
    case sum
    /// The sum divided by the number of elements; 0 of none. Null and absent leaves count as 0.
    case avg
    /// The smallest number or string; null and absent leaves are ignored, and null is the result when there are no others.
    case min
    /// The largest number or string; null and absent leaves are ignored, and null is the result when there are no others.
    case max
    /// The leaves, without null and absent ones.
    case unionOfObjects
    /// The leaves in the order they were first seen, equal ones (`1` and `1.0` are) once, without null and absent ones.
    case distinctUnionOfObjects
    /// The elements of all leaves, which must be arrays; without null and absent ones.
    case unionOfArrays
    /// The elements of all leaves, which must be arrays, equal ones once; without null and absent ones.
    case distinctUnionOfArrays
    /// The same as `unionOfArrays`: JSON has no sets.
    case unionOfSets
    /// The same as `distinctUnionOfArrays`: JSON has no sets.
    case distinctUnionOfSets
}
