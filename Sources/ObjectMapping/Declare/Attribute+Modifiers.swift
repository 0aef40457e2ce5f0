extension Attribute {
    /// Returns the rule with a default value for an absent key or null.
    ///
    /// ```swift
    /// Attribute("visits", \.visits).default(0)
    /// Attribute("visits", \.visits).default(0).whenNull(.fail)            // for an absent key only
    /// Attribute("visits", \.visits).default(0).whenInvalid(.useDefault)   // for an invalid value, too
    /// ```
    ///
    /// - Parameter value: The default; created each time, and not validated.
    public func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> Attribute {
        with { $0.makeDefault = { $0.initialize(as: Value.self, to: value()) } }
    }

    // Lets the compiler report a default of another type.
    /// Rejects values of another type.
    @available(*, unavailable, message: "the default has another type than the property")
    public func `default`(_ value: some Any) -> Attribute { self }

    /// Returns the rule with a policy for values that cannot be converted or are rejected.
    ///
    /// Defaults to `.fail`.
    public func whenInvalid(_ policy: InvalidPolicy) -> Attribute { with { $0.whenInvalid = policy } }
}

extension Attribute {
    /// Returns the rule with a validation; an invalid value is an issue of kind `invalidValue`.
    ///
    /// ```swift
    /// Attribute("age", \.age).validate("must be positive") { $0 > 0 }
    /// ```
    ///
    /// - Parameters:
    ///   - message: The requirement that an invalid value does not meet, for the issue.
    ///   - isValid: Returns whether a value is valid.
    public func validate(_ message: String, _ isValid: @escaping @Sendable (Value) -> Bool) -> Attribute {
        validate { value in guard isValid(value) else { throw ValidationFailure(message) } }
    }

    /// Returns the rule with a validation; an invalid value is an issue of kind `invalidValue`, without the requirement.
    ///
    /// - Parameter isValid: Returns whether a value is valid.
    public func validate(_ isValid: @escaping @Sendable (Value) -> Bool) -> Attribute {
        validate(ValidationFailure.noMessage, isValid)
    }

    /// Returns the rule with a validation that can change the value, or throw; an error is an issue of kind
    /// `invalidValue`.
    ///
    /// ```swift
    /// Attribute("name", \.name).validate { name in
    ///     name = name.lowercased()
    ///     if name.isEmpty { throw ValidationFailure("must not be empty") }
    /// }
    /// ```
    ///
    /// Several validations run in the order written, and only for values that could be converted; null is handled by
    /// `whenNull`.
    ///
    /// - Parameter check: Receives the value to read or change. The message of a thrown `ValidationFailure` becomes a
    ///   part of the issue; for another error, the name of its type.
    public func validate(_ check: @escaping @Sendable (inout Value) throws -> Void) -> Attribute {
        with { $0.wrappers.append { box, _ in ValidatedBox<Value>(box, check) } }
    }

    /// Returns the rule with a validation; `nil` is always valid.
    ///
    /// - Parameters:
    ///   - message: The requirement that an invalid value does not meet, for the issue.
    ///   - isValid: Returns whether a value is valid.
    public func validate<Wrapped>(
        _ message: String, _ isValid: @escaping @Sendable (Wrapped) -> Bool
    ) -> Attribute where Value == Wrapped? {
        validate { (value: inout Wrapped) in guard isValid(value) else { throw ValidationFailure(message) } }
    }

    /// Returns the rule with a validation; `nil` is always valid, and the issue does not contain the requirement.
    ///
    /// - Parameter isValid: Returns whether a value is valid.
    public func validate<Wrapped>(_ isValid: @escaping @Sendable (Wrapped) -> Bool) -> Attribute
    where Value == Wrapped? { validate(ValidationFailure.noMessage, isValid) }

    /// Returns the rule with a validation that can change the value, or throw; it is not called for `nil`.
    ///
    /// - Parameter check: Receives the value to read or change. The message of a thrown `ValidationFailure` becomes a
    ///   part of the issue; for another error, the name of its type.
    public func validate<Wrapped>(
        _ check: @escaping @Sendable (inout Wrapped) throws -> Void
    ) -> Attribute where Value == Wrapped? {
        validate { (value: inout Wrapped?) in
            guard var present = value else { return }
            try check(&present)
            value = present
        }
    }
}

/// A rule that reads into one property; its modifiers can be chained in any order.
///
/// ```swift
/// Attribute("visits", \.visits).default(0).whenInvalid(.useDefault)
/// Relationship("tags", \.tags).policy(.union).whenNull(.fail)
/// ```
@dynamicMemberLookup public protocol PropertyRule<Model>: MappingRule {
    /// The definition of the rule, for internal use.
    var definition: RuleDefinition<Model> { get set }
}

extension PropertyRule {
    /// The rule with a required key: an absent key is an issue, and so is null unless the property is optional or
    /// `whenNull` has another policy.
    public var required: Self { with { $0.isRequired = true } }

    /// Returns the rule with a policy for an absent key.
    ///
    /// Defaults to `.keep`, and to `.clear` for a rule with a default.
    ///
    /// It overrides the policy of the mapping; see `Mapping.whenAbsent(_:)`.
    public func whenAbsent(_ policy: AbsencePolicy) -> Self { with { $0.whenAbsent = policy } }

    /// Returns the rule with a policy for null.
    ///
    /// Defaults to `.clear`.
    public func whenNull(_ policy: NullPolicy) -> Self { with { $0.whenNull = policy } }

    /// Returns the rule with a policy for combining new and existing values.
    ///
    /// Defaults to `.set`.
    ///
    /// `.union` is for arrays and sets; for other properties, `validate()` reports it as an error of the mapping.
    public func policy(_ policy: AssignmentPolicy) -> Self { with { $0.policy = policy } }

    /// The rule for reading only: serialization omits the property.
    public var readOnly: Self { with { $0.direction = .readOnly } }

    /// The rule for serialization only: payloads do not set the property.
    public var writeOnly: Self { with { $0.direction = .writeOnly } }

    func with(_ change: (inout RuleOptions) -> Void) -> Self {
        var copy = self
        copy.definition = definition.with(change)
        return copy
    }
}

extension PropertyRule {
    // Reduces the errors for a misspelled modifier to one.
    /// Rejects modifiers that do not exist.
    @available(
        *, unavailable,
        message:
            "no such modifier: all rules have `required`, `whenAbsent`, `whenNull`, `policy`, `readOnly`, `writeOnly` and `whenNil`, attributes also `default`, `validate`, `using` and `whenInvalid`"
    )
    public subscript(dynamicMember modifier: String) -> Self { self }

    /// Rejects modifiers that do not exist, with an argument.
    @available(
        *, unavailable,
        message:
            "no such modifier: all rules have `required`, `whenAbsent`, `whenNull`, `policy`, `readOnly`, `writeOnly` and `whenNil`, attributes also `default`, `validate`, `using` and `whenInvalid`"
    )
    public subscript(dynamicMember modifier: String) -> (Any) -> Self { { _ in self } }

    // The parameter distinguishes the functions from the properties.
    /// Rejects parentheses after the property.
    @available(*, unavailable, message: "`required` is a property: remove the parentheses")
    public func required(_: Void = ()) -> Self { self }

    /// Rejects parentheses after the property.
    @available(*, unavailable, message: "`readOnly` is a property: remove the parentheses")
    public func readOnly(_: Void = ()) -> Self { self }

    /// Rejects parentheses after the property.
    @available(*, unavailable, message: "`writeOnly` is a property: remove the parentheses")
    public func writeOnly(_: Void = ()) -> Self { self }
}
