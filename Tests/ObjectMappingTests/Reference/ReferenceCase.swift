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
                    return "    '\(rule.source)' -> \(property.name)\(child)\(rule.isRequired ? ", required" : "")"
                }
        }
        let text = String(validating: document, as: UTF8.self) ?? "\(document)"
        return (lines + ["  document: \(text)"]).joined(separator: "\n")
    }
}
