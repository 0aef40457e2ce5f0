public import ObjectMapping

/// A manifest that was made up from dumps, and what speaks for each of its guesses.
///
/// A build takes it as it is; a person reads the findings and changes what is not meant so.
public struct ManifestDraft: Sendable, Hashable {
    /// The manifest, as `ObjectSeeder(manifest:output:)` reads it: JSON with a line for each attribute.
    public let text: String
    /// What was found, in the order of the manifest: the sources, then each entity.
    public let findings: [InferenceFinding]

    /// The findings as JSON, as `seed-db infer --report` writes them.
    public var report: JSON {
        [
            "findings": .array(
                findings.map { finding in
                    [
                        "kind": .string(finding.kind.rawValue), "subject": .string(finding.subject),
                        "evidence": .string(finding.evidence), "certainty": .string(finding.certainty.rawValue),
                    ]
                })
        ]
    }
}
