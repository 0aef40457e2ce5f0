/// How models are written.
public struct WritingOptions: Sendable, Hashable {
    /// What is written for properties that are nil, where the rule does not say; left out by default.
    public var whenNil: WhenNil
    /// Whether the text is laid out on several lines; on one line without blanks by default.
    public var isPrettyPrinted: Bool
    /// How deep objects may nest, which tells objects that hold each other.
    public var limits: MappingLimits

    /// Options with defaults.
    ///
    /// - Parameters:
    ///   - whenNil: What is written for properties that are nil, where the rule does not say.
    ///   - isPrettyPrinted: Whether the text is laid out on several lines.
    ///   - limits: How deep objects may nest; the other limits are for reading.
    public init(whenNil: WhenNil = .omit, isPrettyPrinted: Bool = false, limits: MappingLimits = MappingLimits()) {
        self.whenNil = whenNil
        self.isPrettyPrinted = isPrettyPrinted
        self.limits = limits
    }
}
