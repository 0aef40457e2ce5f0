/// Why a validation does not let a value through.
public struct ValidationFailure: Error, Sendable {
    /// What is wrong with the value, as "must be positive"; it becomes part of an issue, so it should not hold the value.
    public let message: String

    /// A failure with a message.
    public init(_ message: String) { self.message = message }
}
