/// What reading a body gave.
public enum BodyRead: Sendable, Hashable {
    /// So many bytes, at least one.
    case bytes(Int)
    /// Nothing yet.
    case wait
    /// The end of the body.
    case end
}
