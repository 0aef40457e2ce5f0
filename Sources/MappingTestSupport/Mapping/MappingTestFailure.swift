/// The unmet expectations of a `MappingTest`.
public struct MappingTestFailure: Error, Sendable, CustomStringConvertible {
    /// The type of the model, such as "User".
    public let model: String
    /// The failures, one line each: the property, the expected and actual value, and the result of its rule.
    public let unmet: [String]
    /// The number of expectations.
    public let expectationCount: Int

    /// All failures, one per line.
    public var description: String {
        let failures = "\(unmet.count) \(unmet.count == 1 ? "failure" : "failures")"
        let expectations = "\(expectationCount) \(expectationCount == 1 ? "expectation" : "expectations")"
        return (["\(model): \(failures), \(expectations):"] + unmet).joined(separator: "\n  ")
    }
}
