/// The effect of a deletion on the targets of a relationship.
public enum DeleteRule: Sendable, Hashable {
    /// The targets remain, and no longer refer to the object; the deletion fails if one of them requires it.
    case nullify
    /// The targets are deleted as well.
    case cascade
    /// The object cannot be deleted while it has targets that the same save does not delete or move: saving throws.
    case deny
}
