/// Why a file that a test wants cannot be used.
public struct FixtureError: Error, Sendable, CustomStringConvertible {
    /// The file.
    public let file: URL
    /// The cause, as a sentence without its full stop.
    public let cause: String

    /// The path and the cause.
    public var description: String { "\(file.path): \(cause)" }
}
