/// What a decode is given beside the payload.
public struct MappingOptions: Sendable {
    /// What the sources `.metadata("…")` read, an object: `["url": .string(url), "page": 2]`; empty by default.
    public var metadata: JSON
    /// Bounds that a payload must keep.
    public var limits: MappingLimits
    /// Is told what a decode does; nil, the default, for nobody.
    ///
    /// It is called on the thread that decodes, before the call returns.
    public var log: (@Sendable (MappingEvent) -> Void)?

    /// Options with defaults.
    ///
    /// - Parameters:
    ///   - metadata: What the sources `.metadata("…")` read, an object.
    ///   - limits: Bounds that a payload must keep.
    ///   - log: Is told what a decode does.
    public init(
        metadata: JSON = [:], limits: MappingLimits = MappingLimits(), log: (@Sendable (MappingEvent) -> Void)? = nil
    ) {
        self.metadata = metadata
        self.limits = limits
        self.log = log
    }
}
