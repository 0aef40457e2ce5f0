import ObjectMapping

/// Errors in the declarations of managed classes.
extension ModelValidator {
    /// Options must suit the default and the type of their attribute.
    mutating func checkAttributes(of type: ManagedClass) {
        for attribute in type.attributes {
            let place: [JSONPathStep] = [.key(type.name), .key("attributes"), .key(attribute.name)]
            if attribute.isIdentity, attribute.hasVaryingDefault, !attribute.isGenerated {
                report(
                    place,
                    "the default differs from object to object, but an identity that was not assigned is stored as "
                        + "NULL. Write @Stored(.identity, .generated), so that the default of a new object counts as "
                        + "assigned, or use a constant default")
            }
            if attribute.isIdentity, attribute.isGenerated, !attribute.hasVaryingDefault {
                report(
                    place,
                    "the option .generated needs a default that differs from object to object, such as UUID(); found "
                        + "the same one in two objects")
            }
            if attribute.isRequired, !attribute.isOptional {
                report(
                    place,
                    "the option .required has no effect on a property that cannot be nil. Declare the property as "
                        + "optional, or remove the option and check the value in validateForSave()")
            }
        }
    }

    /// A to-many relationship without an inverse is stored separately: a relationship that refers back would not fill
    /// it.
    mutating func checkOneSidedRelationships(ofClassAt index: Int) {
        let (type, entity) = (classes[index], entities[index])
        for (position, relationship) in type.relationships.enumerated() {
            guard relationship.isToMany, !relationship.traits.isOneSided,
                entity.relationships[position].inverse == nil,
                let other = classes.firstIndex(where: { $0.type == relationship.target })
            else { continue }
            let candidates = classes[other].relationships.indices.filter { candidate in
                let back = classes[other].relationships[candidate]
                return back.target == type.type && !back.traits.isOneSided
                    && entities[other].relationships[candidate].inverse == nil
                    && (other, candidate) != (index, position)
                    // Of two lists, the first one is reported.
                    && (!back.isToMany || (other, candidate) > (index, position))
            }
            guard let first = candidates.first else { continue }
            let target = "\(relationship.target)"
            let names = candidates.map { "\(target).\(classes[other].relationships[$0].name)" }
            let inverse = "\\\(target).\(classes[other].relationships[first].name)"
            report(
                [.key(type.name), .key("relationships"), .key(relationship.name)],
                "'\(relationship.name)' has no inverse, but \(names.map { "'\($0)'" }.joined(separator: " and ")) "
                    + "\(names.count == 1 ? "refers" : "refer") to '\(type.type)'. Write "
                    + "@ToMany(inverse: \(inverse)), or @ToMany(inverse: nil) if they are independent")
        }
    }

    /// The table of a many-to-many relationship has positions for the side that is declared first.
    mutating func checkOrder(ofClassAt index: Int) {
        let (type, entity) = (classes[index], entities[index])
        for (position, relationship) in type.relationships.enumerated() where relationship.traits.isOrdered {
            guard let inverse = entity.relationships[position].inverse,
                let other = classes.firstIndex(where: { $0.type == relationship.target }),
                let back = classes[other].relationships.firstIndex(where: { $0.name == inverse }),
                classes[other].relationships[back].isToMany, (other, back) < (index, position)
            else { continue }
            let owner = "\(classes[other].name).\(inverse)"
            let advice =
                other == index
                ? "Declare '\(relationship.name)' before '\(inverse)'"
                : "List \(type.type) before \(relationship.target) in ObjectModel"
            report(
                [.key(type.name), .key("relationships"), .key(relationship.name)],
                "the order of '\(relationship.name)' cannot be stored: a many-to-many relationship has the order of the "
                    + "side that is declared first, '\(owner)'. \(advice), or remove 'isOrdered: true'")
        }
    }
}
