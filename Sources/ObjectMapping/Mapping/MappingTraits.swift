/// What a mapping says of all its rules, and of its models.
struct MappingTraits<Model>: Sendable {
    /// The keys of rules without a source.
    var keys = KeyNaming.asIs
    /// What absence does where a rule does not say so itself.
    var whenAbsent = AbsencePolicy.keep
    /// What every model must pass, in the order written.
    var checks: [@Sendable (Model) throws -> Void] = []
}
