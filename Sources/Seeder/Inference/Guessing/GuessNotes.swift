/// The findings about entities, in order.
///
/// An attribute can be renamed later, so subjects are described at the end.
struct GuessNotes {
    private var notes: [ObjectIdentifier: [() -> InferenceFinding]] = [:]

    /// Adds a finding about an entity, or about some of its attributes.
    mutating func add(
        _ kind: InferenceFinding.Kind, about entity: EntityGuess, _ attributes: [AttributeGuess] = [],
        _ evidence: String, _ certainty: InferenceFinding.Certainty = .certain
    ) {
        notes[ObjectIdentifier(entity), default: []].append {
            let names = attributes.map { "\(entity.swiftName).\($0.name)" }
            let subject = names.isEmpty ? entity.swiftName : names.joined(separator: ", ")
            return InferenceFinding(kind: kind, subject: subject, evidence: evidence, certainty: certainty)
        }
    }

    /// Adds a finding about a relationship.
    mutating func add(
        about entity: EntityGuess, relationship: String, _ evidence: String,
        _ certainty: InferenceFinding.Certainty = .certain
    ) {
        let finding = InferenceFinding(
            kind: .relationship, subject: "\(entity.swiftName).\(relationship)", evidence: evidence,
            certainty: certainty)
        notes[ObjectIdentifier(entity), default: []].append { finding }
    }

    /// Returns all findings about an entity.
    func findings(about entity: EntityGuess) -> [InferenceFinding] {
        (notes[ObjectIdentifier(entity)] ?? []).map { $0() }
    }
}
