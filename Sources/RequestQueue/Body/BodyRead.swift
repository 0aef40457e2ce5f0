/// The result of reading from a body.
public enum BodyRead: Sendable, Hashable {
    /// The number of bytes that were read, at least 1.
    case bytes(Int)
    /// No bytes are available yet.
    case wait
    /// The end of the body.
    case end
}
