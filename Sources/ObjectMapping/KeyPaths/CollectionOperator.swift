/// What a key path may compute of a collection, spelled with `@` in front: `transactions.@avg.amount`.
public enum CollectionOperator: String, Sendable, CaseIterable {
    case count, sum, avg, min, max
    case unionOfObjects, distinctUnionOfObjects
    case unionOfArrays, distinctUnionOfArrays
    case unionOfSets, distinctUnionOfSets
}
