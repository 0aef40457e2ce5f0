/// What is written for a property that is nil.
///
/// Left out, as by default, nil says nothing: a server that merges what it gets (RFC 7396) leaves its value alone, and
/// what reads the text into a fresh model gives the property its fresh value, which may be another than nil. Null says
/// that there is no value, and comes back as nil.
public enum WhenNil: Sendable, Hashable {
    /// Nothing: the key is left out.
    case omit
    /// Null.
    case null
}

extension PropertyRule {
    /// The same rule, with its own word on what is written for nil; it goes before that of `WritingOptions`.
    public func whenNil(_ output: WhenNil) -> Self {
        with { $0.whenNil = output }
    }
}
