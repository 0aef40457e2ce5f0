import ObjectMapping

/// The identity of an entity's objects, and the evidence for it.
struct IdentityGuess {
    let attributes: [AttributeGuess]
    let evidence: String
    var certainty = InferenceFinding.Certainty.certain

    init(of entity: EntityGuess) {
        var tried: [String] = []
        for candidate in Self.candidates(of: entity) {
            let (isFit, remark, certainty) = Self.judge(candidate, of: entity)
            if isFit {
                attributes = [candidate]
                evidence = remark
                self.certainty = certainty
                return
            }
            tried.append("\(candidate.name) (\(remark))")
        }
        for compound in entity.shape.compounds where compound.isUnique {
            let parts = compound.keys.compactMap { key in
                entity.attributes.first { $0.key == key && $0.pattern == nil && $0.canBeKey }
            }
            guard parts.count == compound.keys.count, entity.count > 1 else { continue }
            attributes = parts
            let sample = compound.sample
            evidence =
                "\(Self.distinct(sample.distinct, of: entity.count, sample.halvings)) together, never null"
                + (tried.isEmpty ? "" : "; tried \(tried.joined(separator: ", "))")
            let areReferences = parts.allSatisfy { part in
                part.words == KeyWords.type || part.words.words.last.map(KeyWords.references.contains) == true
            }
            certainty = areReferences ? .certain : .uncertain
            return
        }
        // Attributes that are named like an identity and cannot be one are mentioned as well.
        for attribute in entity.attributes where !attribute.canBeKey {
            if KeyWords.identities.contains(attribute.words) {
                tried.append("\(attribute.name) (\(attribute.type))")
            }
        }
        attributes = []
        evidence = tried.isEmpty ? "no key is named like an identifier" : "tried \(tried.joined(separator: ", "))"
        certainty = .rejected
    }

    /// Returns the candidates for the identity, most likely first.
    private static func candidates(of entity: EntityGuess) -> [AttributeGuess] {
        let ranked = entity.attributes.enumerated().compactMap { place, attribute in
            rank(attribute, in: entity).map { (rank: $0, place: place, attribute: attribute) }
        }
        return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.attribute)
    }

    private static func rank(_ attribute: AttributeGuess, in entity: EntityGuess) -> Int? {
        guard attribute.canBeKey, attribute.pattern == nil else { return nil }
        if attribute.isMemberName { return 3 }
        let words = attribute.words
        if words == NameWords(["id"]) { return 0 }
        if KeyWords.identities.contains(words) { return 2 }
        if let last = words.words.last, KeyWords.references.contains(last) {
            let stem = NameWords(words.words.dropLast())
            if entity.name.ends(with: stem) || stem.ends(with: entity.name) { return last == "id" ? 1 : 4 }
            if stem.words.isEmpty { return 5 }
            return nil
        }
        return KeyWords.isCode(words) ? 5 : nil
    }

    private static func judge(
        _ attribute: AttributeGuess, of entity: EntityGuess
    ) -> (isFit: Bool, remark: String, InferenceFinding.Certainty) {
        let missing = entity.count - attribute.field.values
        if missing > 0 { return (false, "missing in \(missing) of \(counted(entity.count, "object"))", .certain) }
        guard let contents = attribute.field.contents else { return (false, "values of different types", .certain) }
        guard !contents.hasConflict else {
            let (sample, count) = (attribute.sample, entity.count)
            let distinct = "\(sample.isExact ? "" : "about ")\(sample.distinct) of \(count) distinct"
            return (false, "\(distinct); objects with the same value differ", .certain)
        }
        let distinct = distinct(contents.distinct, of: entity.count, contents.halvings, repeats: contents.hasRepeats)
        // Different texts can be the same date, and rows with the same identity are merged.
        if attribute.type.scalar == .date, !contents.hasRepeats {
            return (true, "\(distinct) as strings, never null", .uncertain)
        }
        if contents.hasRepeats { return (true, "\(distinct), never null; duplicates are identical", .certain) }
        return (true, "\(distinct), never null", contents.distinct < 2 ? .uncertain : .certain)
    }

    private static func distinct(_ number: Int, of count: Int, _ halvings: Int, repeats: Bool = false) -> String {
        guard halvings > 0 else { return "\(number) of \(count) distinct" }
        let share = "(1 of \(1 << halvings) values was sampled)"
        return repeats ? "about \(number) of \(count) distinct \(share)" : "no repeated value in \(count) \(share)"
    }
}

extension AttributeGuess {
    /// Whether a column of the type can identify rows.
    var canBeKey: Bool {
        !type.isList && ![.double, .json, .data, .boolean, .decimal].contains(type.scalar)
    }
}
