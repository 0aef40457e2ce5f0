/// The effect of an absent key on the property.
public enum AbsencePolicy: Sendable {
    /// The property is unchanged.
    case keep
    /// The property gets the rule's default; without a default, an optional becomes `nil`, and any other property gets
    /// its initial value.
    case clear
    /// The absent key is an issue of kind `missing`.
    case fail
}

/// Combines the value in a payload with the existing value of a property.
public enum AssignmentPolicy: Sendable {
    /// The new value replaces the old one.
    case set
    /// As `set`; if objects are stored, the old ones are deleted.
    case replace
    /// New elements are added to the collection; null and absence have no effect.
    ///
    /// An existing element is replaced by the new one: an equal one in a set; in an array, one with the same identity
    /// if the mapping is `identified(by:)`, otherwise an equal value or the same object.
    case union
}

/// Handles a value that cannot be converted, or that a validation rejects.
public enum InvalidPolicy: Sendable {
    /// The value is an issue.
    case fail
    /// The value is ignored, and the property is unchanged.
    case keep
    /// The value is ignored, and the property gets the rule's default.
    case useDefault
}

/// The effect of null on the property.
public enum NullPolicy: Sendable {
    /// The property gets the rule's default; without a default, an optional becomes `nil`, and any other property gets
    /// its initial value.
    case clear
    /// The property is unchanged.
    case keep
    /// Null is an issue of kind `typeMismatch`.
    case fail
}

/// The reason why a validation rejects a value.
public struct ValidationFailure: Error, Sendable {
    /// The requirement, such as "must be positive"; it becomes a part of an issue, so it should not contain the value.
    public let message: String

    /// Creates a failure with a message.
    public init(_ message: String) { self.message = message }
}

extension Mapping {
    /// Returns the mapping with a policy for absent keys, for all rules without a separate policy.
    ///
    /// ```swift
    /// static let mapping = Mapping(Person.init) {
    ///     Attribute("nickname", \.nickname)                      // nil if it is absent
    ///     Attribute("visits", \.visits).whenAbsent(.keep)        // unchanged
    ///     Relationship("friends", \.friends).policy(.union)      // unchanged
    /// }
    /// .whenAbsent(.clear)
    /// ```
    ///
    /// With `.fail`, the mapping requires the keys of all rules, and each absent key is an issue. Rules with a `default`
    /// keep their default.
    ///
    /// It does not apply to rules that are `required`, to rules with the policy `union`, or to the mappings of
    /// relationships.
    public func whenAbsent(_ policy: AbsencePolicy) -> Mapping { Mapping(storage.with { $0.whenAbsent = policy }) }

    /// Returns the mapping with a validation of the models; an invalid model is an issue of kind `invalidValue`.
    ///
    /// ```swift
    /// .validated { meeting in
    ///     if meeting.end < meeting.start { throw ValidationFailure("must end after it starts") }
    /// }
    /// ```
    ///
    /// Several validations run in the order written.
    ///
    /// - Parameter check: Called with each model that was read without issues. The message of a thrown
    ///   `ValidationFailure` becomes a part of the issue; for another error, the name of its type.
    public func validated(_ check: @escaping @Sendable (Model) throws -> Void) -> Mapping {
        Mapping(storage.with { $0.checks.append(check) })
    }
}
