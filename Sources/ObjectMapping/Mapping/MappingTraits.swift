/// What a mapping says of all its rules, and of its models.
struct MappingTraits<Model>: Sendable {
    /// The keys of rules without a source.
    var keys = KeyNaming.asIs
    /// What absence does where a rule does not say so itself.
    var whenAbsent = AbsencePolicy.keep
    /// What every model must pass, in the order written.
    var checks: [@Sendable (Model) throws -> Void] = []
    /// The properties that tell one model from another, in the order given.
    var identity: [KeyProperty<Model>] = []
    /// What tells how recent a model is.
    var stamp: ModificationStamp<Model>?
    /// Relationships wired by key.
    var connections: [ConnectionRule] = []
}
