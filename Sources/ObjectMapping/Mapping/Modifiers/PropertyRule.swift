/// A rule that reads into one property; its modifiers may be chained in any order.
///
/// ```swift
/// Attribute("visits", \.visits).default(0).whenInvalid(.useDefault)
/// Relationship("tags", \.tags).policy(.union).whenNull(.fail)
/// ```
public protocol PropertyRule<Model>: MappingRule {
    /// What the rule says, for the library's own use.
    var definition: RuleDefinition<Model> { get set }
}

extension PropertyRule {
    /// The same rule, for a key that must be there: its absence is an issue, and so is null unless the property is
    /// optional or `whenNull` says otherwise.
    public var required: Self { with { $0.isRequired = true } }

    /// The same rule with another answer to an absent key; `.keep` by default, `.clear` for a rule with a default.
    ///
    /// It goes before what the mapping says of all its rules; see `Mapping.whenAbsent(_:)`.
    public func whenAbsent(_ policy: AbsencePolicy) -> Self { with { $0.whenAbsent = policy } }

    /// The same rule with another answer to null; `.clear` by default.
    public func whenNull(_ policy: NullPolicy) -> Self { with { $0.whenNull = policy } }

    /// The same rule with another way to bring a new value together with the one that is there; `.set` by default.
    ///
    /// `.union` is for arrays and sets; for any other property it is a mistake of the mapping.
    public func policy(_ policy: AssignmentPolicy) -> Self { with { $0.policy = policy } }

    /// The same rule, for reading payloads only: serialization leaves the property out.
    public var readOnly: Self { with { $0.direction = .readOnly } }

    /// The same rule, for serialization only: payloads do not set the property.
    public var writeOnly: Self { with { $0.direction = .writeOnly } }

    func with(_ change: (inout RuleOptions) -> Void) -> Self {
        var copy = self
        copy.definition = definition.with(change)
        return copy
    }
}
