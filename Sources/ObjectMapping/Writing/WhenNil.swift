/// What is written for a property that is nil.
public enum WhenNil: Sendable, Hashable {
    /// Nothing: the key is left out.
    case omit
    /// Null.
    case null
}

extension PropertyRule {
    /// The same rule, with its own word on what is written for nil; it goes before that of `WritingOptions`.
    public func whenNil(_ output: WhenNil) -> Self {
        var copy = self
        copy.definition.options.whenNil = output
        return copy
    }
}
