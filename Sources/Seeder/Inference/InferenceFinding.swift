public import ObjectMapping

/// One guess of an inferred manifest, with what speaks for it.
public struct InferenceFinding: Sendable, Hashable, CustomStringConvertible {
    /// What a guess is about.
    public enum Kind: String, JSONConvertible, Sendable, CaseIterable {
        /// Where the elements of a dump are, and which entity they are of.
        case source
        /// What tells the objects of an entity apart.
        case identity
        /// The type of an attribute, where the values themselves do not say it.
        case type
        /// That an attribute may be absent.
        case optional
        /// Where a relationship leads.
        case relationship
        /// A part of a dump that the manifest does not read.
        case unread
    }

    /// How much speaks for a guess.
    public enum Certainty: String, JSONConvertible, Sendable, CaseIterable {
        /// Everything that was seen.
        case sure
        /// Most of what was seen, or little of what there might be: to be looked at.
        case uncertain
        /// Too little: the manifest does not say it, but a person might.
        case notTaken
    }

    /// What the guess is about.
    public let kind: Kind
    /// What it is about in the manifest: `Task.assignedUser`, or a file.
    public let subject: String
    /// What speaks for it, and what against it, with numbers; no value of a dump stands in it.
    public let evidence: String
    /// How much speaks for it.
    public let certainty: Certainty

    /// The guess in one line: `uncertain: Project.owner -> User by ownerID: 2 of 2 values found in User.id`.
    public var description: String {
        let mark =
            switch certainty {
            case .sure: ""
            case .uncertain: "uncertain: "
            case .notTaken: kind == .relationship ? "not taken: " : ""
            }
        return "\(mark)\(subject) \(evidence)"
    }
}

extension InferenceFinding {
    static let mapping = Mapping(
        Self.self, Self.init(kind:subject:evidence:certainty:), Parameter("kind", \.kind),
        Parameter("subject", \.subject), Parameter("evidence", \.evidence), Parameter("certainty", \.certainty))
}
