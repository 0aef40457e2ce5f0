import ObjectStore

/// Describes the differences between two models.
struct ModelDifference {
    private let old: ObjectModel
    private let new: ObjectModel
    private let oldPath: String
    private let newPath: String

    init(from old: ObjectModel, _ oldPath: String, to new: ObjectModel, _ newPath: String) {
        // What classes declare in addition, such as indexes, differs in files of an app.
        (self.old, self.oldPath) = (old.storedData, oldPath)
        (self.new, self.newPath) = (new.storedData, newPath)
    }

    var sentences: [String] {
        compare(old.entities, new.entities, name: \.name, kind: "entity", in: nil)
            + new.entities.flatMap { entity in
                old.entity(named: entity.name).map { differences($0, entity) } ?? []
            }
    }

    private func differences(_ before: EntityDescription, _ after: EntityDescription) -> [String] {
        var found: [String] = []
        if before.identity != after.identity {
            found.append(sentence("the identity of '\(after.name)'", list(before.identity), list(after.identity)))
        }
        found += compare(before.attributes, after.attributes, name: \.name, kind: "attribute", in: after.name)
        for attribute in after.attributes {
            guard let other = before.attribute(named: attribute.name), other != attribute else { continue }
            let name = "attribute '\(after.name).\(attribute.name)'"
            found.append(
                other.type != attribute.type
                    ? sentence("the type of the \(name)", "\(other.type)", "\(attribute.type)")
                    : "the default of the \(name), or whether it is optional, differs")
        }
        found += compare(before.relationships, after.relationships, name: \.name, kind: "relationship", in: after.name)
        for relationship in after.relationships {
            guard let other = before.relationship(named: relationship.name), other != relationship else { continue }
            let name = "relationship '\(after.name).\(relationship.name)'"
            found.append(
                other.destination != relationship.destination || other.isToMany != relationship.isToMany
                    ? sentence("the \(name)", destination(of: other), destination(of: relationship))
                    : "the keys, conditions, order or inverse of the \(name) differ")
        }
        return found
    }

    /// Adds the members that exist in only one of the models.
    private func compare<Member>(
        _ before: [Member], _ after: [Member], name: (Member) -> String, kind: String, in entity: String?
    ) -> [String] {
        let (oldNames, newNames) = (before.map(name), after.map(name))
        let prefix = entity.map { $0 + "." } ?? ""
        func only(_ names: [String], besides others: [String], in path: String) -> [String] {
            names.filter { !others.contains($0) }.map { "the \(kind) '\(prefix)\($0)' is in \(path) only" }
        }
        return only(oldNames, besides: newNames, in: oldPath) + only(newNames, besides: oldNames, in: newPath)
    }

    private func sentence(_ subject: String, _ before: String, _ after: String) -> String {
        "\(subject) is \(before) in \(oldPath) and \(after) in \(newPath)"
    }

    private func list(_ names: [String]) -> String { names.isEmpty ? "missing" : names.joined(separator: ", ") }

    private func destination(of relationship: RelationshipDescription) -> String {
        "to \(relationship.isToMany ? "many" : "one") \(relationship.destination)"
    }
}
