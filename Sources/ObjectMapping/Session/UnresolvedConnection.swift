/// A connection that waits for its target.
public struct UnresolvedConnection: CustomStringConvertible, CustomDebugStringConvertible {
    /// The object whose property is to be set.
    public let source: AnyObject
    /// The property, as `Task.assignedUser`.
    public let destination: String
    /// The type of the object that is waited for.
    public let targetType: Any.Type
    /// What identifies that object: one value, or several of a compound key.
    public let key: [AnyHashable]

    /// What waits for what, without the key.
    public var description: String { "\(destination) waits for a \(targetType)" }

    /// As `description`, with the key.
    public var debugDescription: String {
        "\(description) with the key \(key.map { "\($0.base)" }.joined(separator: ", "))"
    }
}
