/// The expectations of a `MappingTest` that are not met.
public struct MappingTestFailure: Error, Sendable, CustomStringConvertible {
    /// The type that was to be made, as "User".
    public let model: String
    /// What is not met, one line each: the property, what was expected and found, and what its rule did.
    public let unmet: [String]
    /// How many expectations there were.
    public let expectationCount: Int

    /// All that is not met, one a line.
    public var description: String {
        let heading =
            "\(model): of \(expectationCount) \(expectationCount == 1 ? "expectation" : "expectations") not met:"
        return ([heading] + unmet).joined(separator: "\n  ")
    }
}
