public import ObjectMapping

/// One guess of an inferred manifest, with its evidence.
public struct InferenceFinding: Sendable, Hashable, CustomStringConvertible {
    /// The subjects of guesses.
    public enum Kind: String, JSONConvertible, Sendable, CaseIterable {
        /// The position of the elements of a dump, and their entity.
        case source
        /// The identity of an entity.
        case identity
        /// The type of an attribute, if it is not obvious from the values.
        case type
        /// That an attribute is optional.
        case optional
        /// The destination of a relationship.
        case relationship
        /// A part of a dump that the manifest skips.
        case unread
    }

    /// The certainty of a guess.
    public enum Certainty: String, JSONConvertible, Sendable, CaseIterable {
        /// All values confirm the guess.
        case certain
        /// Most values, or only a few values, confirm the guess: review it.
        case uncertain
        /// The evidence is too weak: the manifest does not contain the guess.
        case rejected
    }

    /// The kind of the guess.
    public let kind: Kind
    /// The subject in the manifest: `Task.assignedUser`, or a file.
    public let subject: String
    /// The evidence for and against the guess, with numbers.
    ///
    /// It contains no values of a dump.
    public let evidence: String
    /// The certainty of the guess.
    public let certainty: Certainty

    /// The guess in one line: `uncertain: Project.owner -> User by ownerID: 2 of 2 values found in User.id`.
    public var description: String {
        let mark =
            switch certainty {
            case .certain: ""
            case .uncertain: "uncertain: "
            case .rejected: kind == .relationship ? "rejected: " : kind == .unread ? "skipped: " : ""
            }
        return "\(mark)\(subject) \(evidence)"
    }
}

extension InferenceFinding {
    static let mapping = Mapping(
        Self.self, Self.init(kind:subject:evidence:certainty:), Parameter("kind", \.kind),
        Parameter("subject", \.subject), Parameter("evidence", \.evidence), Parameter("certainty", \.certainty))
}
