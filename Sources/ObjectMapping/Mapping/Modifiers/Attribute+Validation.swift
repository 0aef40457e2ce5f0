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
