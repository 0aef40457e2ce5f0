public import ObjectMapping

/// The result of a `MappingTest` whose expectations are met.
public struct MappingTestReport<Model> {
    /// The model; `nil` if it could not be created and issues were expected.
    public let model: Model?
    /// All issues of the fixture, including warnings.
    public let issues: [MappingIssue]
}
