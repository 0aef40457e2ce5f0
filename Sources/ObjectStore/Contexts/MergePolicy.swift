/// The handling of attributes, to-one relationships and orders of lists that both this context and another one changed.
public enum MergePolicy: Sendable, Hashable {
    /// The save throws a `StoreError` of kind `conflict`, which contains the three values of each attribute.
    case throwConflict
    /// The value in the store is kept.
    case storeWins
    /// The value of the object is saved.
    case objectWins
}
