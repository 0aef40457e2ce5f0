import ObjectMapping

/// A document and mappings, of which the first one is its own.
struct ReferenceCase {
    var mappings: [ReferenceMapping]
    var document: [UInt8]
}

extension ReferenceCase: CustomStringConvertible {
    var description: String {
        let lines = mappings.enumerated().flatMap { index, mapping in
            ["  mapping \(index) of \(mapping.model.name):"]
                + mapping.rules.map { rule in
                    let property = mapping.model.properties[rule.destination]
                    let child =
                        switch property.type {
                        case .one, .many: ", mapping \(rule.child)"
                        default: ""
                        }
                    return "    '\(rule.source)' -> \(property.name)\(child)\(rule.isRequired || rule.isWanted ? ", required" : "")"
                }
                + mapping.joins.map { "    joined of \($0.parts.count)\($0.isRequired ? ", required" : "")" }
                + (mapping.nameColumn.map { ["    name -> column \($0)"] } ?? [])
        }
        let text = String(validating: document, as: UTF8.self) ?? "\(document)"
        return (lines + ["  document: \(text)"]).joined(separator: "\n")
    }
}
