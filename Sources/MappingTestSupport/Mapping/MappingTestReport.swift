public import ObjectMapping

/// What a `MappingTest` whose expectations are met has to say.
public struct MappingTestReport<Model> {
    /// The model; nil if none could be made, as the issues that were expected say.
    public let model: Model?
    /// Every issue of the fixture, warnings too.
    public let issues: [MappingIssue]
}
