import ObjectMapping

/// A document and mappings, of which the first one is its own.
struct ReferenceCase: CustomStringConvertible {
    var mappings: [ReferenceMapping]
    var document: [UInt8]

    var description: String {
        var lines: [String] = []
        for (index, mapping) in mappings.enumerated() {
            lines.append("  mapping \(index) of \(mapping.model.name):")
            for rule in mapping.rules {
                let property = mapping.model.properties[rule.destination]
                var line = "    '\(rule.source)' -> \(property.name)"
                switch property.type {
                case .one, .many, .rows: line += ", mapping \(rule.child)"
                default: break
                }
                if rule.isRequired || rule.isWanted { line += ", required" }
                lines.append(line)
            }
            for join in mapping.joins { lines.append("    joined\(join.isRequired ? ", required" : "")") }
            if mapping.nameColumn != nil { lines.append("    the member's name") }
        }
        lines.append("  document: \(String(validating: document, as: UTF8.self) ?? "\(document)")")
        return lines.joined(separator: "\n")
    }
}
