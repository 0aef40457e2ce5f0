/// The handling of values that both the user and a new seed have changed.
public enum SeedConflictPolicy: Sendable, Hashable {
    /// The value of the user is kept.
    case userWins
    /// The value of the new seed is used. Objects that the user deleted stay deleted, and objects that the user changed
    /// are not removed.
    case seedWins
    /// The upgrade throws a `StoreError` of kind `conflict` with the values, and nothing is changed.
    case throwConflict
}
