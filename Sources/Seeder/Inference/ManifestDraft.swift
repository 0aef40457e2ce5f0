public import ObjectMapping

/// A manifest that was inferred from dumps, and the evidence for each of its guesses.
///
/// A build accepts it unchanged. Review the findings and change what is not intended.
public struct ManifestDraft: Sendable, Hashable {
    /// The manifest for `ObjectSeeder(manifest:output:)`: JSON with a line for each attribute.
    public let text: String
    /// The findings in the order of the manifest: the sources, then each entity.
    public let findings: [InferenceFinding]

    /// The findings as JSON, as written by `seed-db infer --report`.
    public var report: JSON { (try? InferenceFinding.mapping.json(of: findings, rootKey: "findings")) ?? .null }
}
