/// What a decode is given beside the payload.
public struct MappingOptions: Sendable {
    /// What the sources `.metadata("…")` read, an object.
    public var metadata: JSON
    /// Bounds that a payload must keep.
    public var limits: MappingLimits

    /// Options with defaults.
    public init(metadata: JSON = [:], limits: MappingLimits = MappingLimits()) {
        self.metadata = metadata
        self.limits = limits
    }
}
