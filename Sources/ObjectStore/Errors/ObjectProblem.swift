/// A reason why an object cannot be saved.
public struct ObjectProblem: Sendable, Hashable, CustomStringConvertible {
    /// The object; a temporary ID if it has not been saved yet.
    public let object: ObjectID
    /// The name of the attribute or relationship; `nil` for a problem of the whole object.
    public let property: String?
    /// The reason.
    public let message: String
    /// The path of the object in the body of a response, such as `$.tasks[3]`; `nil` without one.
    public package(set) var path: String?

    /// The object with its path, the property and the reason.
    public var description: String {
        let place = path.map { " at \($0)" } ?? ""
        return "\(object.entity)\(property.map { ".\($0)" } ?? "") of \(object)\(place): \(message)"
    }
}
