/// An error of a file that a test requires.
public struct FixtureError: Error, Sendable, CustomStringConvertible {
    /// The URL of the file.
    public let file: URL
    /// The cause, without a trailing period.
    public let cause: String

    /// The path and the cause.
    public var description: String { "\(file.path): \(cause)" }
}
