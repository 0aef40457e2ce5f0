/// What the absence of a key does to the property.
public enum AbsencePolicy: Sendable {
    /// The property keeps the value that it has.
    case keep
    /// The property gets the rule's default; without one an optional becomes nil, any other gets the value that it has in
    /// a fresh model.
    case clear
}

/// How values of a payload and those that a property holds already come together.
public enum AssignmentPolicy: Sendable {
    /// The new value takes the place of the old one.
    case set
    /// As `set`; where objects are stored, the old ones are deleted.
    case replace
    /// New elements are added to the collection; null and absence change nothing.
    ///
    /// An element that is there already is not doubled: the new one takes its place. In a set that is an equal one; in an
    /// array one with the same identity where the mapping is `identified(by:)`, an equal one where the elements are
    /// values, the same object otherwise.
    case union
}

/// What becomes of a value that cannot be converted, or that a validation rejects.
public enum InvalidPolicy: Sendable {
    /// It is an issue.
    case fail
    /// It is passed over silently, and the property keeps the value that it has.
    case keep
    /// It is passed over silently, and the property gets the rule's default.
    case useDefault
}

/// What null does to the property.
public enum NullPolicy: Sendable {
    /// The property gets the rule's default; without one an optional becomes nil, any other gets the value that it has in
    /// a fresh model.
    case clear
    /// The property keeps the value that it has.
    case keep
    /// Null is an issue of kind `typeMismatch`.
    case fail
}

/// Why a validation does not let a value through.
public struct ValidationFailure: Error, Sendable {
    /// What is wrong with the value, as "must be positive"; it becomes part of an issue, so it should not hold the value.
    public let message: String

    /// A failure with a message.
    public init(_ message: String) { self.message = message }
}

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
    public func whenAbsent(_ policy: AbsencePolicy) -> Mapping { Mapping(storage.with { $0.whenAbsent = policy }) }

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
