/// The reason why a ``Router`` has no path for an object or a name.
public struct RouteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// No route was added for the class, relationship, name or method.
        case unknownRoute
        /// The value of a parameter is `nil`, empty, or an identity that was never assigned.
        case missingValue(parameter: String)
        /// The value of a parameter is `.` or `..`, which would change the path, or an identity has more values than parts.
        case invalidValue(parameter: String)
        /// Two routes were added for the same object and method.
        case duplicate
    }

    /// The kind of failure.
    public let kind: Kind
    /// What was expected, what was found, and what to do; without values of objects.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

extension RouteError: LocalizedError {
    /// The `description`.
    public var errorDescription: String? { description }
}
