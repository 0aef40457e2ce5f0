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
