extension Attribute {
    /// The same rule with a value that the property gets where the key is absent or null.
    ///
    /// ```swift
    /// Attribute("visits", \.visits).default(0)
    /// Attribute("visits", \.visits).default(0).whenNull(.fail)            // for an absent key only
    /// Attribute("visits", \.visits).default(0).whenInvalid(.useDefault)   // for a value that is none, too
    /// ```
    ///
    /// - Parameter value: The default; made anew each time, and not validated.
    public func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> Attribute {
        with { $0.makeDefault = { $0.initialize(as: Value.self, to: value()) } }
    }

    // With this one beside it the compiler says what is wrong with a default of another type.
    /// Not for values of another type.
    @available(*, unavailable, message: "the default has another type than the property")
    public func `default`(_ value: some Any) -> Attribute { self }

    /// The same rule with another answer to a value that cannot be converted or is rejected; `.fail` by default.
    public func whenInvalid(_ policy: InvalidPolicy) -> Attribute { with { $0.whenInvalid = policy } }
}

extension Attribute {
    /// The same rule for values that pass a test; any other is an issue of kind `invalidValue`.
    ///
    /// ```swift
    /// Attribute("age", \.age).validate("must be positive") { $0 > 0 }
    /// ```
    ///
    /// - Parameters:
    ///   - message: What is wrong with a value that fails, for the issue.
    ///   - isValid: The test.
    public func validate(_ message: String, _ isValid: @escaping @Sendable (Value) -> Bool) -> Attribute {
        validate { value in guard isValid(value) else { throw ValidationFailure(message) } }
    }

    /// The same rule with a check that may change the value, or throw: then it is an issue of kind `invalidValue`.
    ///
    /// ```swift
    /// Attribute("name", \.name).validate { name in
    ///     name = name.lowercased()
    ///     if name.isEmpty { throw ValidationFailure("must not be empty") }
    /// }
    /// ```
    ///
    /// Several checks run in the order written, and only on a value that could be converted; null is for `whenNull`.
    ///
    /// - Parameter check: Gets the value to read or to change. The message of the `ValidationFailure` that it throws
    ///   becomes part of the issue; of another error, the name of its type.
    public func validate(_ check: @escaping @Sendable (inout Value) throws -> Void) -> Attribute {
        with { $0.wrappers.append { box, _ in ValidatedBox<Value>(box, check) } }
    }

    /// The same rule for values that pass a test; nil always does.
    ///
    /// - Parameters:
    ///   - message: What is wrong with a value that fails, for the issue.
    ///   - isValid: The test.
    public func validate<Wrapped>(
        _ message: String, _ isValid: @escaping @Sendable (Wrapped) -> Bool
    ) -> Attribute where Value == Wrapped? {
        validate { (value: inout Wrapped) in guard isValid(value) else { throw ValidationFailure(message) } }
    }

    /// The same rule with a check that may change the value, or throw; it is not called for nil.
    ///
    /// - Parameter check: Gets the value to read or to change. The message of the `ValidationFailure` that it throws
    ///   becomes part of the issue; of another error, the name of its type.
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

/// A rule that reads into one property; its modifiers may be chained in any order.
///
/// ```swift
/// Attribute("visits", \.visits).default(0).whenInvalid(.useDefault)
/// Relationship("tags", \.tags).policy(.union).whenNull(.fail)
/// ```
@dynamicMemberLookup public protocol PropertyRule<Model>: MappingRule {
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

extension PropertyRule {
    // Reduces the errors for a misspelt modifier to one.
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
}
