/// A reason why an object cannot be saved.
public struct ObjectProblem: Sendable, Hashable, CustomStringConvertible {
    /// The object; a temporary ID if it has not been saved yet.
    public let object: ObjectID
    /// The name of the attribute or relationship; `nil` for a problem of the whole object.
    public let property: String?
    /// The reason.
    public let message: String

    /// The object, the property and the reason.
    public var description: String {
        "\(object.entity)\(property.map { ".\($0)" } ?? "") of \(object): \(message)"
    }
}
