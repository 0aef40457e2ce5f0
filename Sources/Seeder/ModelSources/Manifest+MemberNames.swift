import ObjectMapping
import ObjectStore

extension Manifest {
    /// Throws an issue for each attribute or relationship whose name is invalid for a property of a managed class.
    ///
    /// The columns of a managed class have the names of its properties, so these names are not changed.
    func checkMemberNames(_ issues: ManifestIssues) throws(SeedError) {
        for entity in model.entities {
            let place = [.key("model"), JSONPathStep.key(entity.name)]
            let names = Set(entity.memberNames)
            func check(_ name: String, in section: String) {
                guard let problem = Self.problem(with: name, among: names) else { return }
                issues.add(
                    "\(problem); choose another name\(Self.advice(section))", at: place + [.key(section)], name,
                    ofKey: true)
            }
            for attribute in entity.attributes { check(attribute.name, in: "attributes") }
            for relationship in entity.relationships { check(relationship.name, in: "relationships") }
        }
        try issues.check()
    }

    private static func problem(with name: String, among names: Set<String>) -> String? {
        if SwiftName.verbatim(name) == nil {
            return "'\(SwiftLiteral.comment(name))' cannot be the name of a Swift property"
        }
        if inherited.contains(name) { return "every managed class already has a member '\(name)'" }
        if name.hasPrefix("_"), names.contains(String(name.dropFirst())) {
            return "'\(name)' is the storage of the property '\(name.dropFirst())'"
        }
        return nil
    }

    private static func advice(_ section: String) -> String {
        section == "attributes" ? ", and name the key of the dumps in 'from'" : ""
    }

    /// Members of managed classes that a property would hide or redeclare.
    private static let inherited: Set<String> = ["managed", "mapping", "hashValue"]
}
