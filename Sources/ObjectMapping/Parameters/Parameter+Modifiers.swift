extension Parameter {
    /// The same, for an argument that has a value where the payload has none: the key is absent, or null stands there
    /// and the argument is no optional.
    ///
    /// - Parameter value: What the argument is then; asked for at each object, and not validated.
    public func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> Parameter {
        var copy = self
        copy.absent = value
        return copy
    }

    /// The same for values that pass a test; any other is an issue of kind `invalidValue`.
    ///
    /// - Parameters:
    ///   - message: What is wrong with a value that fails, for the issue.
    ///   - isValid: The test.
    public func validate(_ message: String, _ isValid: @escaping @Sendable (Value) -> Bool) -> Parameter {
        validate { value in guard isValid(value) else { throw ValidationFailure(message) } }
    }

    /// The same with a check that may change the value, or throw: then it is an issue of kind `invalidValue`.
    ///
    /// - Parameter check: Gets the value to read or to change; it is not called for null. The message of the
    ///   `ValidationFailure` that it throws becomes part of the issue; of another error, the name of its type.
    public func validate(_ check: @escaping @Sendable (inout Value) throws -> Void) -> Parameter {
        var copy = self
        copy.options.wrappers.append { box, _ in ValidatedBox<Value>(box, check) }
        return copy
    }
}
