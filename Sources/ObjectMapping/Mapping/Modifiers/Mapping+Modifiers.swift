extension Mapping {
    /// The same mapping with another answer to absent keys, for all its rules that do not say so themselves.
    ///
    /// ```swift
    /// static let mapping = Mapping(Person.init) {
    ///     Attribute("nickname", \.nickname)                      // nil if it is absent
    ///     Attribute("visits", \.visits).whenAbsent(.keep)        // as it was
    ///     Relationship("friends", \.friends).policy(.union)      // as it was
    /// }
    /// .whenAbsent(.clear)
    /// ```
    ///
    /// It says nothing of rules that are `required`, nor of relationships with the policy `union`.
    public func whenAbsent(_ policy: AbsencePolicy) -> Mapping {
        Mapping(storage.with { $0.whenAbsent = policy })
    }

    /// The same mapping for models that pass a check; any other is an issue of kind `invalidValue`.
    ///
    /// ```swift
    /// .validated { meeting in
    ///     if meeting.end < meeting.start { throw ValidationFailure("must end after it starts") }
    /// }
    /// ```
    ///
    /// Several checks run in the order written.
    ///
    /// - Parameter check: Called with each model that was read without issues. The message of the `ValidationFailure` that
    ///   it throws becomes part of the issue; of another error, the name of its type.
    public func validated(_ check: @escaping @Sendable (Model) throws -> Void) -> Mapping {
        Mapping(storage.with { $0.checks.append(check) })
    }
}
