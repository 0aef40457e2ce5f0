/// Bounds that a payload must keep; one that breaks them is an issue, never a crash.
public struct MappingLimits: Sendable, Hashable {
    /// How deep arrays and objects may nest; 512 by default, at most 1,024.
    public var depth: Int

    /// Limits with safe defaults.
    public init(depth: Int = 512) { self.depth = min(depth, 1024) }
}
