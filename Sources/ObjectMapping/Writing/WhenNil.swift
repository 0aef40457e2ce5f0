/// What is written for a property that is nil.
public enum WhenNil: Sendable, Hashable {
    /// Nothing: the key is left out.
    case omit
    /// Null.
    case null
}

extension Attribute {
    /// The same rule, with its own word on what is written for nil; it goes before that of `WritingOptions`.
    public func whenNil(_ output: WhenNil) -> Attribute {
        var copy = self
        copy.definition.options.whenNil = output
        return copy
    }
}

extension Relationship {
    /// The same rule, with its own word on what is written for nil; it goes before that of `WritingOptions`.
    public func whenNil(_ output: WhenNil) -> Relationship {
        var copy = self
        copy.definition.options.whenNil = output
        return copy
    }
}
